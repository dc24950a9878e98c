import { protocolContracts } from '../../protocol.ts'
import { type ToolContract, adds } from '../tool-contract.ts'
import { truncated } from '../tool-fields.ts'

const operation = protocolContracts['record-work']

export const recordWork = {
  name: 'svc_record_work',
  title: 'Record finished work',
  description:
    'Puts work that is done already on record, with all effects of a delivery: the named objective is complete and the mission in review. Names a mission alone: an objective is added for it. Needs no session; with one of yours it delivers that. For work that is still to do: svc_attach_session.',
  ...operation,
  output: operation.output.extend(truncated),
  hints: adds,
  outputLevels: 1,
} as const satisfies ToolContract

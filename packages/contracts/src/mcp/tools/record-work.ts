import { protocolContracts } from '../../protocol.ts'
import { type ToolContract, adds } from '../tool-contract.ts'
import { truncated } from '../tool-fields.ts'

const operation = protocolContracts['record-work']

export const recordWork = {
  name: 'svc_record_work',
  title: 'Record finished work',
  description:
    'Records finished work with all effects of a delivery: the named objective is complete, the mission in review. Needs no session. With a mission alone: delivers what your session works on there, and refuses a title; without one adds an objective called title. For work still to do: svc_attach_session.',
  ...operation,
  output: operation.output.extend(truncated),
  hints: adds,
  outputLevels: 1,
} as const satisfies ToolContract

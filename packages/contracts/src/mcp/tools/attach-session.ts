import { protocolContracts } from '../../protocol.ts'
import { type ToolContract, adds } from '../tool-contract.ts'

export const attachSession = {
  name: 'svc_attach_session',
  title: 'Start working',
  description:
    'Makes you the agent of an objective and answers with its full context and a sessionKey for the calls that follow. objectiveId says which; else the one of the request, else the next of the mission. Only to do the work yourself. Next: svc_update_session, then svc_deliver_session.',
  input: protocolContracts.attach.input,
  output: protocolContracts.attach.output,
  hints: adds,
  permission: 'session:attach',
  outputLevels: 1,
} as const satisfies ToolContract

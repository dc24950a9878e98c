import { protocolContracts } from '../../protocol.ts'
import { type ToolContract, adds } from '../tool-contract.ts'

const operation = protocolContracts.attach

export const attachSession = {
  name: 'svc_attach_session',
  title: 'Start working',
  description:
    'Makes you the agent of an objective and answers with its full context and a sessionKey for the calls that follow. objectiveId says which; else the one of the request, else the next of the mission. Only to do the work yourself. Next: svc_update_session, then svc_deliver_session.',
  ...operation,
  hints: adds,
  outputLevels: 1,
  bounds: {
    keep: ['currentObjective.instruction', 'agentInstructions'],
    newestLast: ['history', 'previousObjectives'],
  },
} as const satisfies ToolContract<keyof typeof operation.output.shape>

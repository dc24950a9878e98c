import { protocolContracts } from '../../protocol.ts'
import { type ToolContract, reads } from '../tool-contract.ts'

const operation = protocolContracts['load-context']

export const loadMissionContext = {
  name: 'svc_load_mission_context',
  title: 'Read a mission',
  description:
    'Reads a mission: objectives, history, deliveries, artifacts, resources. objectiveId pins the objective it is seen from and is needed while several run. A cut text says how to read on. Opens no session, changes nothing. Next: svc_attach_session to work on it, svc_launch_objective to have it done.',
  ...operation,
  hints: reads,
  widget: 'objective-viewer',
  outputLevels: 1,
  bounds: {
    keep: ['currentObjective.instruction', 'agentInstructions'],
    newestLast: ['history', 'previousObjectives'],
  },
} as const satisfies ToolContract<keyof typeof operation.output.shape>

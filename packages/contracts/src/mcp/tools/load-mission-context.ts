import { protocolContracts } from '../../protocol.ts'
import { type ToolContract, reads } from '../tool-contract.ts'

export const loadMissionContext = {
  name: 'svc_load_mission_context',
  title: 'Read a mission',
  description:
    'Reads a mission: objectives, history, deliveries, artifacts, resources. objectiveId pins the objective it is seen from and is needed while several run. Opens no session and changes nothing. Next: svc_attach_session to work on it, svc_launch_objective to have it worked on.',
  input: protocolContracts['load-context'].input,
  output: protocolContracts['load-context'].output,
  hints: reads,
  permission: 'mission:read',
} as const satisfies ToolContract

import { z } from 'zod'
import { limits } from '../../limits.ts'
import { Mission } from '../../mission.ts'
import { restContracts } from '../../rest.ts'
import { type ToolContract, adds } from '../tool-contract.ts'
import { ObjectiveLine, ToolObjectiveInput, page, truncated } from '../tool-fields.ts'

const output = z.strictObject({
  mission: Mission,
  objectives: z.array(ObjectiveLine),
  ...page,
  ...truncated,
})

export const createMission = {
  name: 'svc_create_mission',
  title: 'Create a mission',
  description:
    'Creates a mission, with its first objectives if given: each is one pass of one agent, in order. auto_advance lets a delivery launch the next one. Launches nothing itself: next, svc_launch_objective with the displayId of an objective.',
  input: restContracts.createMission.body.omit({ useWorktrees: true }).extend({
    objectives: z.array(ToolObjectiveInput).max(50).default([]),
  }),
  output,
  hints: adds,
  permission: 'mission:create',
  bodyBytes: limits.largeJsonBodyBytes,
  bounds: { newestLast: ['objectives'] },
} as const satisfies ToolContract<keyof typeof output.shape>

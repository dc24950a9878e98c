import { z } from 'zod'
import { missionScope } from '../../ids.ts'
import { limits } from '../../limits.ts'
import { Mission } from '../../mission.ts'
import { type ToolContract, adds } from '../tool-contract.ts'
import { ObjectiveLine, ToolObjectiveInput, namesMission, truncated } from '../tool-fields.ts'

const output = z.strictObject({
  mission: Mission,
  objectives: z.array(ObjectiveLine),
  ...truncated,
})

export const addObjectives = {
  name: 'svc_add_objectives',
  title: 'Add objectives',
  description:
    'Adds 1 to 50 objectives as drafts at the end of a mission and answers with all of them in order. objectiveId, a display id of any of its objectives, may name the mission. Launches nothing: next, svc_launch_objective.',
  input: z
    .strictObject({
      objectives: z.array(ToolObjectiveInput).min(1).max(50),
      ...missionScope,
    })
    .refine(...namesMission),
  output,
  hints: adds,
  permission: 'objective:create',
  bodyBytes: limits.largeJsonBodyBytes,
  bounds: { newestLast: ['objectives'] },
} as const satisfies ToolContract<keyof typeof output.shape>

import { z } from 'zod'
import { MissionRef, ObjectiveRef } from '../../ids.ts'
import { restContracts } from '../../rest.ts'
import { type ToolContract, sets } from '../tool-contract.ts'
import { truncated } from '../tool-fields.ts'

const { body, answer } = restContracts.updateObjective

export const updateObjective = {
  name: 'svc_update_objective',
  title: 'Edit an objective',
  description:
    "Replaces the instruction of an objective that has not started, or turns its mission's auto_advance on or off; give one of both. expectedRevision guards the instruction. Neither launches nor gives an agent: svc_launch_objective does both.",
  input: z
    .strictObject({
      objectiveId: ObjectiveRef,
      missionId: MissionRef.optional(),
      ...body.pick({ auto_advance: true, instruction: true, expectedRevision: true }).shape,
    })
    .refine((input) => input.auto_advance !== undefined || input.instruction !== undefined, {
      message: 'give auto_advance or instruction',
    }),
  output: answer.extend(truncated),
  hints: sets,
  permission: 'objective:update',
} as const satisfies ToolContract

import { z } from 'zod'
import { MissionRef, ObjectiveRef } from '../../ids.ts'
import { limits } from '../../limits.ts'
import { Mission } from '../../mission.ts'
import { type ToolContract, sets } from '../tool-contract.ts'
import { ObjectiveLine, truncated } from '../tool-fields.ts'

export const reorderFutureObjectives = {
  name: 'svc_reorder_future_objectives',
  title: 'Reorder future objectives',
  description:
    'Gives the objectives that have not started another order: all of them, each once by its UUID or display id, in the order wanted. Where one is missing or has started meanwhile nothing changes, and the error holds the present order. Does not launch. Read them with svc_load_mission_context.',
  // display ids too: decision 71. spec: MCP tool catalog, row svc_reorder_future_objectives
  input: z.strictObject({
    missionId: MissionRef,
    objectiveIds: z.array(ObjectiveRef).min(1).max(limits.objectivesPerMission),
  }),
  output: z.strictObject({ mission: Mission, objectives: z.array(ObjectiveLine), ...truncated }),
  hints: sets,
  permission: 'objective:update',
} as const satisfies ToolContract

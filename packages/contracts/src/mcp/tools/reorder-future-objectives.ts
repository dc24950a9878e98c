import { z } from 'zod'
import { MissionRef } from '../../ids.ts'
import { limits } from '../../limits.ts'
import { Mission } from '../../mission.ts'
import { type ToolContract, sets } from '../tool-contract.ts'
import { ObjectiveLine, truncated } from '../tool-fields.ts'

/** The order of one mission is told in UUIDs alone. spec: MCP tool catalog, row svc_reorder_future_objectives */
const FutureObjective = z.uuid(
  'name it by its UUID, the id in futureObjectives of svc_load_mission_context',
)

export const reorderFutureObjectives = {
  name: 'svc_reorder_future_objectives',
  title: 'Reorder future objectives',
  description:
    'Gives the objectives that have not started another order: all of their UUIDs, each once, in the order wanted. Where one is missing or has started meanwhile nothing changes, and the error holds the present order. Does not launch. Read them with svc_load_mission_context.',
  input: z.strictObject({
    missionId: MissionRef,
    objectiveIds: z.array(FutureObjective).min(1).max(limits.objectivesPerMission),
  }),
  output: z.strictObject({ mission: Mission, objectives: z.array(ObjectiveLine), ...truncated }),
  hints: sets,
  permission: 'objective:update',
} as const satisfies ToolContract

import { z } from 'zod'
import { NextCursor } from '../../page.ts'
import { restContracts } from '../../rest.ts'
import { StatusType } from '../../states.ts'
import { type ToolContract, reads } from '../tool-contract.ts'
import { MissionLine, pageArguments, truncated } from '../tool-fields.ts'

const { query } = restContracts.listMissions

const output = z.strictObject({
  missions: z.array(MissionLine),
  nextCursor: NextCursor,
  ...truncated,
})

export const searchMissions = {
  name: 'svc_search_missions',
  title: 'Search missions',
  description:
    'Searches titles, objectives and instructions for every word of query and lists the missions, the newest first, if wanted of one project or of some status types. Go on with cursor = nextCursor. Shows no objectives: next, svc_load_mission_context with the displayId of one.',
  input: query.pick({ query: true, projectId: true }).extend({
    ...pageArguments,
    statusTypes: z.array(StatusType).max(6).optional(),
  }),
  output,
  hints: reads,
  widget: 'mission-list',
  permission: 'mission:read',
  bounds: { paged: 'missions' },
} as const satisfies ToolContract<keyof typeof output.shape>

import { z } from 'zod'
import { FileChange } from '../../change-rationale.ts'
import { Delivery } from '../../delivery.ts'
import { missionScope } from '../../ids.ts'
import { NextCursor } from '../../page.ts'
import { type ToolContract, reads } from '../tool-contract.ts'
import { ObjectiveLine, namesMission, pageArguments, truncated } from '../tool-fields.ts'

/** A delivery with the objective that it completed and what changed for it, at most 50 files. */
export const DeliverySummary = Delivery.pick({
  id: true,
  createdAt: true,
  summary: true,
  report: true,
  artifacts: true,
  checks: true,
}).extend({
  objective: ObjectiveLine.nullable(),
  fileChanges: z.array(FileChange.omit({ objectiveId: true })),
})
export type DeliverySummary = z.infer<typeof DeliverySummary>

const output = z.strictObject({
  deliveries: z.array(DeliverySummary),
  nextCursor: NextCursor,
  ...truncated,
})

export const listDeliveries = {
  name: 'svc_list_deliveries',
  title: 'List deliveries',
  description:
    "Lists what was delivered in one mission, the newest first: summary, report, artifacts and file changes. An objective's display id names its mission and narrows nothing. Go on with cursor = nextCursor. For what is still open: svc_load_mission_context.",
  input: z.strictObject({ ...missionScope, ...pageArguments }).refine(...namesMission),
  output,
  hints: reads,
  widget: 'file-changes',
  permission: 'mission:read',
  bounds: { paged: 'deliveries' },
} as const satisfies ToolContract<keyof typeof output.shape>

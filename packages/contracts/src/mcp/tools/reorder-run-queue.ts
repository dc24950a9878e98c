import { z } from 'zod'
import { Revision, Uuid } from '../../ids.ts'
import { limits } from '../../limits.ts'
import { type ToolContract, sets } from '../tool-contract.ts'
import { truncated } from '../tool-fields.ts'

export const reorderRunQueue = {
  name: 'svc_reorder_run_queue',
  title: 'Reorder a run queue',
  description:
    'Gives all entries of one queue a new order in one step; orderedEntryIds names every live entry exactly once. Where that does not fit, nothing changes: applied is false, with the reason, the current order and what is missing or unknown. Launches nothing. First: svc_list_run_queues.',
  input: z.strictObject({
    queueId: Uuid,
    orderedEntryIds: z.array(Uuid).max(limits.entriesPerQueue),
    expectedRevision: Revision.optional(),
  }),
  output: z.strictObject({
    applied: z.boolean(),
    currentOrder: z.array(Uuid),
    inFlightEntryId: Uuid.nullable(),
    missing: z.array(Uuid),
    unknown: z.array(Uuid),
    revision: Revision,
    reason: z.string().nullable(),
    ...truncated,
  }),
  hints: sets,
  permission: 'execution_request:create',
} as const satisfies ToolContract

import { z } from 'zod'
import { ProjectRef } from '../../ids.ts'
import { NextCursor } from '../../page.ts'
import { RunQueue, RunQueueEntry } from '../../run-queue.ts'
import { type ToolContract, reads } from '../tool-contract.ts'
import { EntryLine, QueueLine, pageArguments, truncated } from '../tool-fields.ts'

/** What the compact view leaves out may be missing. */
const Entry = RunQueueEntry.partial().extend(EntryLine.shape)
const Queue = RunQueue.partial()
  .extend(QueueLine.shape)
  .extend({ entries: z.array(Entry) })

export const listRunQueues = {
  name: 'svc_list_run_queues',
  title: 'List run queues',
  description:
    "Shows a project's run queues with their entries in order, and why each waits; full adds what it waits on, its run and who queued it. Launches nothing. Call it before any change of a queue. Go on with cursor = nextCursor. Next: svc_queue_objective, svc_reorder_run_queue or svc_manage_run_queue.",
  input: z.strictObject({
    projectId: ProjectRef,
    view: z.enum(['compact', 'full']).default('compact'),
    ...pageArguments,
  }),
  output: z.strictObject({ queues: z.array(Queue), nextCursor: NextCursor, ...truncated }),
  hints: reads,
  permission: 'project:read',
} as const satisfies ToolContract

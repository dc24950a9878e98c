import { z } from 'zod'
import { ProjectRef, Uuid } from '../../ids.ts'
import { limits } from '../../limits.ts'
import { QueueName } from '../../run-queue.ts'
import { type ToolContract, destroys } from '../tool-contract.ts'
import { EntryLine, QueueLine, truncated } from '../tool-fields.ts'

const Action = z.enum(['create', 'update', 'delete', 'reorder_queues', 'retry_entry'])

/** What each action cannot do without. */
const needs = {
  create: ['projectId', 'name'],
  update: ['queueId'],
  delete: ['queueId'],
  reorder_queues: ['projectId', 'queueIds'],
  retry_entry: ['entryId'],
} as const satisfies Record<z.infer<typeof Action>, readonly string[]>

export const manageRunQueue = {
  name: 'svc_manage_run_queue',
  title: 'Manage run queues',
  description:
    'create: projectId, name. update: queueId with name or paused. delete: queueId, moveEntriesTo when it has entries. reorder_queues: projectId, queueIds. These want a full-scope token. retry_entry: entryId of a held entry, which then takes its turn. Launches nothing itself. First: svc_list_run_queues.',
  input: z
    .strictObject({
      action: Action,
      projectId: ProjectRef.optional(),
      queueId: Uuid.optional(),
      entryId: Uuid.optional(),
      name: QueueName.optional(),
      paused: z.boolean().optional(),
      moveEntriesTo: Uuid.optional(),
      queueIds: z.array(Uuid).max(limits.queuesPerProject).optional(),
    })
    .superRefine((input, context) => {
      for (const field of needs[input.action]) {
        if (input[field] !== undefined) continue
        const message = `${input.action} needs ${field}`
        context.addIssue({ code: 'custom', path: [field], message })
      }
    }),
  output: z.strictObject({
    queues: z.array(QueueLine),
    entry: EntryLine.optional(),
    ...truncated,
  }),
  hints: destroys,
  permission: 'project:update',
  fullScope: true,
} as const satisfies ToolContract

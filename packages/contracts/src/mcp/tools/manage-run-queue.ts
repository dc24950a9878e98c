import { z } from 'zod'
import { ProjectRef, Uuid } from '../../ids.ts'
import { limits } from '../../limits.ts'
import { Title } from '../../objective.ts'
import { type ToolContract, destroys } from '../tool-contract.ts'
import { EntryLine, QueueLine, truncated } from '../tool-fields.ts'

const Action = z.enum(['create', 'update', 'delete', 'reorder_queues', 'retry_entry'])

/** What each action cannot do without, and what it may take besides. */
const fieldsOf = {
  create: { needs: ['projectId', 'name'], takes: [] },
  update: { needs: ['queueId'], takes: ['name', 'paused'] },
  delete: { needs: ['queueId'], takes: ['moveEntriesTo'] },
  reorder_queues: { needs: ['projectId', 'queueIds'], takes: [] },
  retry_entry: { needs: ['entryId'], takes: [] },
} as const satisfies Record<z.infer<typeof Action>, Record<'needs' | 'takes', readonly string[]>>

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
      name: Title.optional(),
      paused: z.boolean().optional(),
      moveEntriesTo: Uuid.optional(),
      queueIds: z.array(Uuid).max(limits.queuesPerProject).optional(),
    })
    .superRefine(({ action, ...input }, context) => {
      const { needs, takes } = fieldsOf[action]
      const refuse = (field: string, message: string) =>
        context.addIssue({ code: 'custom', path: [field], message })
      for (const field of needs) {
        if (input[field] === undefined) refuse(field, `${action} needs ${field}`)
      }
      const known: readonly string[] = [...needs, ...takes]
      for (const [field, value] of Object.entries(input)) {
        if (value !== undefined && !known.includes(field))
          refuse(field, `${action} takes no ${field}`)
      }
      if (action === 'update' && input.name === undefined && input.paused === undefined) {
        refuse('name', 'update needs name or paused')
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

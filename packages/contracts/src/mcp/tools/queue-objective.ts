import { z } from 'zod'
import { MissionRef, ObjectiveRef } from '../../ids.ts'
import { Title } from '../../objective.ts'
import { Placement, RunQueueEntry, isOnePosition, onePositionMessage } from '../../run-queue.ts'
import { type ToolContract, sets } from '../tool-contract.ts'
import { EntryLine, QueueLine, truncated } from '../tool-fields.ts'

export const queueObjective = {
  name: 'svc_queue_objective',
  title: 'Queue an objective',
  description:
    'Adds an objective to a run queue of its project, moves it, or with remove takes it out. queue is an id or name; one of after, front and position places it, else it goes last. Queueing launches nothing: a delivery advances the queue, svc_launch_objective launches at once. First: svc_list_run_queues.',
  input: z
    .strictObject({
      objectiveId: ObjectiveRef,
      missionId: MissionRef.optional(),
      queue: Title.optional(),
      ...Placement,
      remove: z.boolean().optional(),
    })
    .refine(isOnePosition, { message: onePositionMessage })
    .refine(({ remove, queue, after, front, position }) => {
      const targets = [queue, after, front, position].filter((one) => one !== undefined)
      return remove !== true || targets.length === 0
    }, 'remove takes it out of whatever queue it is in: give no queue, after, front or position'),
  output: z.strictObject({
    queue: QueueLine,
    entry: EntryLine.optional(),
    order: z.array(RunQueueEntry.pick({ id: true, displayId: true })),
    ...truncated,
  }),
  hints: sets,
  permission: 'execution_request:create',
} as const satisfies ToolContract

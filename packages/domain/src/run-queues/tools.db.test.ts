import { verifies } from '@svc/testing/verifies'
import { test } from '../testing/world.ts'
import { describe, expect } from 'vitest'

describe('svc_list_run_queues', () => {
  test(
    verifies(
      ['tool.svc_list_run_queues.state', 'tool.svc_list_run_queues.schema'],
      'shows queues and entries, and in full what they wait on, their runs and who queued them',
    ),
    async ({ world }) => {
      const { alice, project, mission } = await world.missionWith(['a', 'b'])
      const [a, b] = mission.objectives
      await alice.call('updateObjective', { id: a.id, assigned_agent: 'scripted' })
      await alice.call('queueObjective', { objectiveId: a.id })
      await alice.call('queueObjective', { objectiveId: b.id })
      const [queue] = (await alice.call('listRunQueues', { id: project.id })).queues
      const started = await alice.call('startRunQueue', { id: queue?.id ?? '' })

      const compact = await alice.tool('svc_list_run_queues', { projectId: project.slug })
      expect(compact.queues).toEqual([
        {
          id: queue?.id,
          name: 'Default',
          position: 1,
          isDefault: true,
          state: 'running',
          pauseReason: null,
          revision: started.queue.revision,
          entries: [
            {
              id: expect.any(String),
              objectiveId: a.id,
              displayId: a.displayId,
              title: 'a',
              state: 'dispatched',
              reason: null,
              hold: null,
            },
            expect.objectContaining({ displayId: b.displayId, state: 'waiting', reason: 'turn' }),
          ],
        },
      ])
      const full = await alice.tool('svc_list_run_queues', { projectId: project.id, view: 'full' })
      expect(full.queues[0]).toMatchObject({
        pausedAt: null,
        advanceOwedSince: null,
        entries: [
          { attempt: 1, executionRequestId: started.executionRequest.id, waitingOn: null },
          { attempt: 0, executionRequestId: null, queuedBy: expect.any(String) },
        ],
      })
      const [first, second] = full.queues[0]?.entries ?? []
      const ask = { projectId: project.id, view: 'full', limit: 1 } as const
      const page = await alice.tool('svc_list_run_queues', ask)
      expect(page).toMatchObject({ queues: [{ entries: [first] }], nextCursor: first?.id })
      const cursor = `${page.nextCursor}`
      const next = await alice.tool('svc_list_run_queues', { ...ask, cursor })
      expect(next).toMatchObject({ queues: [{ entries: [second] }] })
      expect(next.nextCursor).toBeUndefined()
      await expect(
        alice.tool('svc_list_run_queues', { projectId: project.id, view: 'other' as never }),
      ).rejects.toThrow(/compact/)
    },
  )
})

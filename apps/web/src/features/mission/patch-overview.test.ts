import type { FeedChange } from '@svc/contracts/feed'
import { describe, expect, test } from 'vitest'
import { type Overview, patchOverview } from './patch-overview.ts'

const run = { id: 'run', sessionId: 'session', status: 'launched', progress: null }
// the parts that a patch looks at
const shown = {
  mission: { id: 'mission', projectId: 'project' },
  executionRequests: [run, { ...run, id: 'other', sessionId: null }],
  nextSteps: [],
} as unknown as Overview

const change = (more: Partial<FeedChange>): FeedChange => ({
  entity: 'mission',
  entityId: 'mission',
  operation: 'update',
  revision: null,
  projectId: 'project',
  missionId: 'mission',
  data: {},
  at: '2026-11-26T00:00:00.000Z',
  ...more,
})

describe('a change that the feed tells', () => {
  test('of another mission leaves all as it is, the same object', () => {
    expect(patchOverview(shown, change({ missionId: 'other' }))).toBe(shown)
  })

  test('of how far an agent has come is written into its run', () => {
    const progress = { percent: 60, note: 'writing tests' }
    const told = change({
      entity: 'agent_session',
      entityId: 'session',
      operation: 'progress',
      data: progress,
    })
    const after = patchOverview(shown, told)
    expect(after?.executionRequests).toEqual([{ ...run, progress }, shown.executionRequests[1]])
  })

  test.each([
    change({ operation: 'status' }),
    change({ entity: 'objective', entityId: 'new', operation: 'add' }),
    change({ entity: 'agent_session', entityId: 'unknown', operation: 'progress' }),
    change({ entity: 'run_queue', missionId: null }),
  ])('of the mission has it read again: $entity $operation', (told) => {
    expect(patchOverview(shown, told)).toBeUndefined()
  })

  test.each([
    change({ operation: 'shared_state' }),
    change({ entity: 'objective', operation: 'attachment' }),
    change({ entity: 'run_queue', missionId: null, projectId: 'other' }),
  ])('of what is not in it leaves it: $entity $operation', (told) => {
    expect(patchOverview(shown, told)).toBe(shown)
  })

  test('of runners matters where something waits for one', () => {
    const told = change({ entity: 'runner', missionId: null })
    expect(patchOverview(shown, told)).toBe(shown)
    const queued = { ...shown, executionRequests: [{ ...run, status: 'queued' }] }
    expect(patchOverview(queued as Overview, told)).toBeUndefined()
  })
})

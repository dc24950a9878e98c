import type { FeedChange } from '@svc/contracts/feed'
import type { RouteOutput } from '@svc/contracts/rest'
import { expect, test } from 'vitest'
import { patchRuns } from './patch-runs.ts'

const run = { id: 'run', sessionId: 'session', status: 'launched', progress: null }
// the parts that a patch looks at
const shown = {
  executionRequests: [run, { ...run, id: 'other', sessionId: null }],
  untaken: {},
} as unknown as RouteOutput<'listExecutionRequests'>

const change = (more: Partial<FeedChange>): FeedChange => ({
  entity: 'execution_request',
  entityId: 'run',
  operation: 'update',
  revision: null,
  projectId: 'project',
  missionId: 'mission',
  data: {},
  at: '2026-11-26T00:00:00.000Z',
  ...more,
})

test('how far an agent has come is written into its run, and anything else is read again', () => {
  const progress = { percent: 60, note: 'writing tests' }
  const session = { entity: 'agent_session', entityId: 'session' } as const
  const told = change({ ...session, operation: 'progress', data: progress })
  const [first, second] = patchRuns(shown, told)?.executionRequests ?? []
  expect([first?.progress, second?.progress]).toEqual([progress, null])
  expect(patchRuns(shown, change({ ...session, operation: 'end' }))).toBeUndefined()
  expect(patchRuns(shown, change({}))).toBeUndefined()
})

test('a runner that comes or goes matters where something waits for one', () => {
  const runner = change({ entity: 'runner', entityId: 'runner' })
  expect(patchRuns(shown, runner)).toBe(shown)
  // the parts that a patch looks at
  const queued = {
    ...shown,
    executionRequests: [{ ...run, status: 'queued' }],
  } as unknown as typeof shown
  expect(patchRuns(queued, runner)).toBeUndefined()
})

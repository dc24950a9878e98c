import type { ListedRun } from '@svc/contracts/execution-request'
import type { Need } from '@svc/contracts/need'
import { expect, test } from 'vitest'
import { rowsOf } from './rows.ts'

const project = { id: 'p', slug: 'web' }
const named = (displayId: string, title: string) => ({ id: displayId, displayId, title })
const since = '2026-01-02T03:04:05.000Z'

// as far as a wall looks at them
const question = {
  kind: 'question',
  id: 'q',
  since,
  mine: true,
  project,
  mission: named('web:12', 'Themes'),
  objective: named('web:12.k7qd', 'Theme switch'),
  question: { question: 'Keep **the old** name,\n\nor rename it?', agentIdentifier: 'claude' },
  runner: 'lap-2',
} as unknown as Need
const runOf = (id: string, objective: string, more: object) =>
  ({
    id,
    objectiveId: objective,
    objective: { displayId: objective, title: `Title of ${objective}` },
    agent: 'claude',
    runnerLabel: null,
    status: 'launched',
    outcome: 'running',
    progress: null,
    lastRelease: null,
    cancelRequestedAt: null,
    createdAt: since,
    ...more,
  }) as unknown as ListedRun

test('a wall has what waits first, then what runs, then what is queued, and nothing twice', () => {
  const rows = rowsOf([question], {
    executionRequests: [
      runOf('r3', 'web:15.q0c1', { status: 'queued', outcome: null }),
      runOf('r2', 'web:14.m3aa', {
        runnerLabel: 'lap-2',
        progress: { percent: 59.6, note: 'writing\ntests' },
      }),
      runOf('r1', 'web:12.k7qd', {}),
    ],
    untaken: { r3: 'no runner offers codex' },
  })
  expect(
    rows.map(({ wording, id, title, detail, who }) => [wording.sign, id, title, detail, who]),
  ).toEqual([
    ['?', 'web:12.k7qd', '', 'Keep the old name, or rename it?', 'lap-2'],
    ['●', 'web:14.m3aa', 'Title of web:14.m3aa', '60 % writing tests', 'lap-2'],
    ['◌', 'web:15.q0c1', 'Title of web:15.q0c1', 'No runner offers codex.', 'claude'],
  ])
})

test('of a text as much is there as a line may have room for', () => {
  const long = runOf('r', 'web:1.aaaa', { progress: { percent: null, note: 'x'.repeat(5_000) } })
  const [row] = rowsOf([], { executionRequests: [long], untaken: {} })
  expect(row?.detail).toHaveLength(200)
})

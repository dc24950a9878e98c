import type { FeedChange } from '@svc/contracts/feed'
import { describe, expect, test } from 'vitest'
import { boardOf, cardOf, projectId, shownOf, uuid } from '../../testing/board.ts'
import { patchBoard, patchFiltered } from './patch-board.ts'

const change = (more: Partial<FeedChange>): FeedChange => ({
  entity: 'mission',
  entityId: uuid(5),
  operation: 'status',
  revision: 2,
  projectId,
  missionId: uuid(5),
  data: {},
  at: '2026-11-26T09:00:00.000Z',
  ...more,
})
const to = (phase: string) => change({ data: { phase, label: `is ${phase}` } })
const badge = {
  kind: 'running',
  since: '2026-11-26T08:00:00.000Z',
  objective: { id: uuid(70), displayId: 'web:5.k7qd' },
  agent: 'claude',
  percent: null,
  waitsOn: null,
} as const

describe('a move by others', () => {
  const board = boardOf({ draft: [9, 5], execute: [2], complete: [1] })

  test('is shown without a read', () => {
    const patched = patchBoard(board, to('execute'))
    expect(patched && shownOf(patched)).toEqual(['draft 1: 9', 'execute 2: 5 2', 'complete 1: 1'])
    expect(patched?.columns[1]?.cards[0]).toMatchObject({ revision: 2, updatedAt: to('').at })
  })

  test.each([
    [
      'the mission is not among those that are shown',
      board,
      { ...to('execute'), entityId: uuid(4) },
    ],
    ['the column is not known', board, to('review')],
    ['two columns are called the same', boardOf({ draft: [5], execute: [] }), to('execute')],
    ['it has a badge', boardOf({ draft: [cardOf(5, { badge })], execute: [] }), to('execute')],
    ['it was closed', boardOf({ complete: [5], execute: [] }), to('execute')],
  ])('is read where %s', (why, shown, told) => {
    const [first, second] = shown.columns
    const twice =
      why.includes('two') && second ? { ...shown, columns: [...shown.columns, second] } : shown
    expect(first).toBeDefined()
    expect(patchBoard(twice, told)).toBeUndefined()
  })

  test('takes it from a column that is read by itself, and concerns no other', () => {
    const part = boardOf({ draft: [9, 5] })
    const patched = patchBoard(part, to('execute'))
    expect(patched && shownOf(patched)).toEqual(['draft 1: 9'])
    expect(patchBoard(part, { ...to('execute'), entityId: uuid(4) })).toBe(part)
    expect(patchBoard(part, { ...to('draft'), entityId: uuid(4) })).toBeUndefined()
  })
})

test.each<[string, Partial<FeedChange>]>([
  ['of another project', { projectId: uuid(1) }],
  ['that only raises a revision', { operation: 'revise' }],
  ['that webhooks are told of', { operation: 'event' }],
  ['of shared state', { operation: 'shared_state' }],
  ['of an objective of a mission that is not shown', { entity: 'objective', missionId: uuid(4) }],
  ['of a runner where nothing is queued', { entity: 'runner', projectId: null }],
])('a change %s is none of the board', (_, more) => {
  const board = boardOf({ draft: [5], execute: [] })
  expect(patchBoard(board, change(more))).toBe(board)
})

test.each<[string, Partial<FeedChange>]>([
  ['of an objective of it', { entity: 'objective', entityId: uuid(70) }],
  ['of its title', { operation: 'update' }],
  ['that makes one', { operation: 'create', entityId: uuid(6) }],
  ['of the columns', { entity: 'project', entityId: projectId, missionId: null }],
])('a change %s is read', (_, more) => {
  expect(patchBoard(boardOf({ draft: [5], execute: [] }), change(more))).toBeUndefined()
})

test('a runner that comes may take what is queued', () => {
  const board = boardOf({ draft: [cardOf(5, { badge: { ...badge, kind: 'queued' } })] })
  const runner = change({ entity: 'runner', projectId: null, missionId: null })
  expect(patchBoard(board, runner)).toBeUndefined()
  expect(patchFiltered(board, runner)).toBeUndefined()
})

test('how far an agent has come is shown on the card that speaks of it', () => {
  const board = boardOf({ execute: [cardOf(5, { badge })] })
  const progress = change({
    entity: 'agent_session',
    operation: 'progress',
    entityId: uuid(80),
    data: { objectiveId: uuid(70), percent: 60 },
  })
  const [column] = patchBoard(board, progress)?.columns ?? []
  expect(column?.cards[0]?.badge?.percent).toBe(60)
  const ofAnother = { ...progress, data: { objectiveId: uuid(71), percent: 60 } }
  expect(patchBoard(board, ofAnother)).toBe(board)
})

test('whether a mission passes a filter is read', () => {
  const board = boardOf({ draft: [], execute: [] })
  expect(patchFiltered(board, change({ entity: 'objective' }))).toBeUndefined()
  expect(patchFiltered(board, change({ operation: 'revise' }))).toBe(board)
  expect(patchFiltered(board, change({ projectId: uuid(1) }))).toBe(board)
})

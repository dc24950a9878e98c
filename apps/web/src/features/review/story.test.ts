import { describe, expect, test } from 'vitest'
import { filesOf } from './patch.ts'
import {
  type Branch,
  type Delivery,
  groupsOf,
  lastLines,
  meantDelivery,
  reviewCommand,
  urgentFirst,
} from './story.ts'

const because = (label: string) => ({ label, summary: '', why: '', impact: '' })
const change = (filePath: string, label?: string) => ({
  objectiveId: 'o',
  filePath,
  vcsStatus: null,
  rationale: label === undefined ? null : because(label),
  additions: 1,
  deletions: 1,
})
const diff = {
  baseSha: 'a',
  headSha: 'b',
  truncated: false,
  dirty: false,
  stat: [
    { filePath: 'large.ts', additions: 90, deletions: 2 },
    { filePath: 'unsaid.ts', additions: 500, deletions: 0 },
  ],
}

describe('the changed files', () => {
  test('stand by their reasons, the largest change first and what has no reason last', () => {
    const changes = [change('none.ts'), change('small.ts', 'Small'), change('large.ts', 'Large')]
    const groups = groupsOf(changes, diff, [])
    expect(groups.map(({ label, files }) => [label, files.map(({ path }) => path)])).toEqual([
      ['Large', ['large.ts']],
      ['Small', ['small.ts']],
      [undefined, ['none.ts', 'unsaid.ts']],
    ])
    expect(groups[0]?.files[0]).toMatchObject({ additions: 90, deletions: 2 })
  })

  test('are also those that only Git knows of, and what it says became of them', () => {
    const patches = filesOf('diff --git a/x b/x\ndeleted file mode 100644\n')
    expect(groupsOf([], undefined, patches)).toMatchObject([
      { label: undefined, files: [{ path: 'x', status: 'deleted', additions: null }] },
    ])
  })
})

test('an address means the newest delivery of its objective, by either form of its id', () => {
  // what of a delivery matters to that
  const deliveries = [
    { id: '3', objectiveId: 'two' },
    { id: '2', objectiveId: 'one' },
    { id: '1', objectiveId: 'one' },
  ] as Delivery[]
  const ids = new Map([
    ['one', 'web:12.k7qd'],
    ['two', 'web:12.0hfd'],
  ])
  const meant = (id?: string) => meantDelivery(deliveries, ids, id)?.id
  expect([meant('k7qd'), meant('web:12.k7qd'), meant('none'), meant()]).toEqual([
    '2',
    '2',
    '3',
    '3',
  ])
  expect(meantDelivery([], ids, 'k7qd')).toBeUndefined()
})

test('the command is about one branch alone', () => {
  // what of a branch matters to that
  const web = { objective: null, resourceKey: 'web' } as Branch
  const own = { objective: 'web:12.k7qd', resourceKey: 'api' } as Branch
  expect(reviewCommand('web:12', web, [web])).toBe('svc review web:12')
  expect(reviewCommand('web:12', web, [web, own])).toBe('svc review web:12 --resource web')
  expect(reviewCommand('web:12', own, [web, own])).toBe('svc review web:12.k7qd --resource api')
})

test('what blocks is done first, the rest in its order', () => {
  const actions = [{ action: 'a' }, { action: 'b', blocking: true }, { action: 'c' }]
  expect(urgentFirst(actions).map(({ action }) => action)).toEqual(['b', 'a', 'c'])
})

test('of what a check printed the last lines are shown', () => {
  expect(lastLines('1\n2\n3\n\n', 2)).toBe('2\n3')
})

import type { FileChange } from '@svc/contracts/change-rationale'
import { describe, expect, test } from 'vitest'
import { type ReportPages, changedOf, found } from './changed.ts'

const because = (label: string) => ({ label, summary: '', why: 'So.', impact: '' })
const change = (filePath: string, label?: string): FileChange => ({
  objectiveId: 'o',
  filePath,
  vcsStatus: null,
  rationale: label === undefined ? null : because(label),
  additions: null,
  deletions: null,
})
const changes = {
  report: 'r',
  baseSha: 'a',
  headSha: 'b',
  files: 4,
  additions: 14,
  deletions: 4,
  truncated: false,
  dirty: false,
}
const file = (position: number, filePath: string, label: string | null = null) => ({
  position,
  filePath,
  label,
  vcsStatus: null,
  patchBytes: 10,
  additions: 1,
  deletions: 1,
})
const group = (label: string | null, files: number, additions: number) => ({
  label,
  files,
  additions,
  deletions: 1,
})
const pages: ReportPages = [
  {
    changes,
    groups: [group('Large', 1, 9), group('Small', 1, 2), group(null, 2, 3)],
    files: [file(2, 'large.ts', 'Large'), file(0, 'small.ts', 'Small')],
    nextCursor: '2',
  },
  { changes, files: [file(1, 'a/none.ts'), file(3, 'b/none.ts')] },
]
const shapeOf = ({ groups }: Pick<ReturnType<typeof changedOf>, 'groups'>) =>
  groups.map(({ label, count, files }) => [label, count, files.map(({ path }) => path)])

describe('the changed files', () => {
  test('stand by their reasons as the report has them, what is in none before the others of its group', () => {
    const besides = [change('docs:plan.md', 'Small'), change('docs:none.md'), change('x', 'Other')]
    const all = changedOf(pages, besides)
    expect(shapeOf(all)).toEqual([
      ['Large', 1, ['large.ts']],
      ['Small', 2, ['docs:plan.md', 'small.ts']],
      ['Other', 1, ['x']],
      [undefined, 3, ['docs:none.md', 'a/none.ts', 'b/none.ts']],
    ])
    expect(all).toMatchObject({ total: 7, additions: 14, deletions: 4 })
    expect(all.files[1]).toMatchObject({ position: undefined, rationale: { why: 'So.' } })
  })

  test('have the groups of what is read, with the numbers of all', () => {
    expect(shapeOf(changedOf(pages.slice(0, 1), []))).toEqual([
      ['Large', 1, ['large.ts']],
      ['Small', 1, ['small.ts']],
    ])
    expect(changedOf(pages.slice(0, 1), []).total).toBe(4)
  })

  test('are those that were said where there is no report, each once', () => {
    const sized = { ...change('b', 'B'), additions: 5 }
    expect(shapeOf(changedOf([], [change('a', 'A'), sized, change('c')]))).toEqual([
      ['B', 1, ['b']],
      ['A', 1, ['a']],
      [undefined, 1, ['c']],
    ])
    expect(changedOf(pages, [change('large.ts', 'Large')]).total).toBe(4)
    expect(changedOf([], [])).toMatchObject({ report: undefined, groups: [], total: 0 })
  })

  test('are found by words of their paths, in this order', () => {
    const { groups } = changedOf(pages, [])
    const paths = (text: string) =>
      found(groups, text).flatMap(({ count, files }) => [count, ...files.map(({ path }) => path)])
    expect(paths('NONE')).toEqual([2, 'a/none.ts', 'b/none.ts'])
    expect(paths('b/ ne')).toEqual([1, 'b/none.ts'])
    expect(paths('none b/')).toEqual([])
    expect(found(groups, ' ')).toEqual(groups)
  })
})

import { describe, expect, test } from 'vitest'
import { type TimelineRow, groupLines } from './group.ts'
import type { Line } from './line.ts'

const now = new Date(2026, 10, 26, 14, 5).getTime()
let count = 0

function line(type: string, minutesAgo: number, more: Partial<Line> = {}): Line {
  count += 1
  return {
    id: `event-${count}`,
    objectiveId: 'one',
    type,
    summary: type,
    actor: undefined,
    createdAt: new Date(now - minutesAgo * 60_000).toISOString(),
    ...more,
  }
}

const shown = (rows: readonly TimelineRow[]) =>
  rows.map((row) =>
    row.kind === 'line'
      ? row.line.type
      : row.kind === 'folded'
        ? `fold of ${row.lines.length}`
        : 'day',
  )

const launched = () => [
  line('session_attached', 1),
  line('execution_launched', 1),
  line('branch_prepared', 1),
  line('execution_claimed', 1),
  line('execution_requested', 1),
]

describe('the lines of a timeline', () => {
  test('of one run within a minute are folded behind the newest', () => {
    expect(shown(groupLines(launched(), now))).toEqual(['session_attached', 'fold of 4'])
  })

  test('that people and agents wrote stand as they are, however many', () => {
    const said = [line('update', 1), line('update', 1), line('ask', 1), line('answer', 1)]
    expect(shown(groupLines(said, now))).toEqual(['update', 'update', 'ask', 'answer'])
  })

  test('of different objectives or minutes are not folded with each other', () => {
    const lines = [
      line('execution_claimed', 1),
      line('execution_requested', 1),
      line('execution_claimed', 1, { objectiveId: 'two' }),
      line('execution_requested', 2, { objectiveId: 'two' }),
    ]
    expect(shown(groupLines(lines, now))).toEqual(lines.map(({ type }) => type))
  })

  test('keep the key of their fold while newer ones come', () => {
    const lines = launched()
    const foldOf = (given: readonly Line[]) =>
      groupLines(given, now).find(({ kind }) => kind === 'folded')?.key
    expect(foldOf([line('status_change', 1), ...lines])).toBe(foldOf(lines))
    expect(foldOf(lines)).toBeDefined()
  })

  test('have a day between them where one begins, and none before those of today', () => {
    const lines = [line('update', 1), line('update', 24 * 60), line('update', 24 * 60 + 1)]
    expect(shown(groupLines(lines, now))).toEqual(['update', 'day', 'update', 'update'])
  })

  test('are all there, in their order, folded or not', () => {
    const lines = [line('update', 0), ...launched(), line('delivery', 3), ...launched()]
    const all = groupLines(lines, now).flatMap((row) =>
      row.kind === 'line' ? [row.line] : row.kind === 'folded' ? row.lines : [],
    )
    expect(all).toEqual(lines)
  })
})

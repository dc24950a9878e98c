import { describe, expect, test } from 'vitest'
import { keptLog } from '../../../testing/kept-log.ts'
import { fromOf, rowsOf, toOf } from './held.ts'
import { openLog } from './open-log.ts'
import { pieceBytes } from './piece.ts'
import type { ReadPart } from './read-log.ts'

const line = 'a line of this log\n'
const growing = (lines: number) => {
  const parts = [{ start: 0, text: line.repeat(lines) }]
  const log: ReadPart = (asked) => keptLog(parts)(asked)
  return {
    log,
    grow: (more: number) => {
      parts[0] = { start: 0, text: line.repeat((lines += more)) }
      return lines * line.length
    },
  }
}

function shown(opened: ReturnType<typeof openLog>) {
  const { held } = opened.state.get()
  const rows = rowsOf(held)
  const last = new TextDecoder().decode(rows.bytesOf(Math.max(0, rows.count - 1)))
  return { from: fromOf(held), to: toOf(held), last, count: rows.count }
}

describe('a log that is opened', () => {
  test('begins at its end, and goes back piece by piece', { tags: 'large' }, async () => {
    const { log } = growing(500_000)
    const opened = openLog(log, undefined)
    await expect.poll(() => shown(opened).to).toBe(500_000 * line.length)
    const { from, last } = shown(opened)
    expect(last).toBe(line)
    expect(from).toBeGreaterThan(0)
    opened.older()
    opened.older()
    await expect.poll(() => shown(opened).from).toBe(from - pieceBytes)
    await opened.goTo(from)
    expect(shown(opened).from).toBe(from - pieceBytes)
  })

  test('goes on with what is printed', async () => {
    const { log, grow } = growing(10)
    const opened = openLog(log, undefined)
    await expect.poll(() => shown(opened).count).toBe(10)
    opened.grew(grow(5))
    await expect.poll(() => shown(opened).count).toBe(15)
    // much more than is read piece by piece: only its end
    const length = grow(1_000_000)
    opened.grew(length)
    await expect.poll(() => shown(opened).to).toBe(length)
    expect(shown(opened).last).toBe(line)
    expect(shown(opened).from).toBeGreaterThan(0)
  })

  test('begins at the byte of a link, with its line', async () => {
    const { log } = growing(500_000)
    const at = 250_000 * line.length
    const opened = openLog(log, at)
    await opened.goTo(at)
    const rows = rowsOf(opened.state.get().held)
    expect(rows.startOf(rows.find(at))).toBe(at)
    const first = Math.ceil(pieceBytes / line.length) * line.length - line.length
    await opened.goTo(first)
    const there = rowsOf(opened.state.get().held)
    expect(there.startOf(there.find(first))).toBe(first)
  })

  test('says why it cannot be read, and is read when that is over', async () => {
    const { log } = growing(10)
    let isAway = true
    const opened = openLog((asked) => {
      if (isAway) throw new Error('away')
      return log(asked)
    }, undefined)
    await expect.poll(() => opened.state.get().error?.message).toBe('away')
    isAway = false
    opened.again()
    await expect.poll(() => opened.state.get().held.length).toBe(10 * line.length)
    expect(opened.state.get().error).toBeUndefined()
  })

  test('that is empty is there as well', async () => {
    const opened = openLog(keptLog([]), undefined)
    await expect.poll(() => opened.state.get().isRead).toBe(true)
    expect(rowsOf(opened.state.get().held).count).toBe(0)
    opened.stop()
  })
})

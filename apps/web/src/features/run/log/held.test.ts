import { describe, expect, test } from 'vitest'
import { type Held, nothingHeld, rowsOf, withPiece } from './held.ts'
import { grown, mostRowBytes, pieceBytes, pieceOf } from './piece.ts'
import { pieceStart, readPiece } from './read-log.ts'
import { keptLog } from '../../../testing/kept-log.ts'

/** What is on screen of them: number, else offset, and text. */
function drawn(held: Held): string[] {
  const rows = rowsOf(held)
  return Array.from({ length: rows.count }, (_, index) => {
    const { start, end, isGap, number } = rows.at(index)
    if (isGap) return `… ${end - start} …`
    const text = new TextDecoder().decode(rows.bytesOf(index)).replace('\n', '')
    return `${number ?? `@${start}`} ${text.length > 20 ? text.length : text}`
  })
}

const bytes = (text: string) => new TextEncoder().encode(text)
const one = (from: number, text: string) =>
  pieceOf(from, from + text.length, [{ start: from, bytes: bytes(text) }])

describe('the rows of a log', () => {
  test('are its lines, with their numbers from its beginning on', () => {
    expect(drawn(withPiece(nothingHeld, one(0, 'one\n\nthree\nfo')))).toEqual([
      '1 one',
      '2 ',
      '3 three',
      '4 fo',
    ])
  })

  test('go on with what comes later, in the middle of a line too', () => {
    const first = one(0, 'one\ntw')
    const longer = grown(first, 12, [{ start: 6, bytes: bytes('o\nthre') }])
    expect(drawn(withPiece(withPiece(nothingHeld, first), longer))).toEqual([
      '1 one',
      '2 two',
      '3 thre',
    ])
  })

  test('have a gap where something is not kept, and no numbers behind it', () => {
    const piece = pieceOf(0, 30, [
      { start: 0, bytes: bytes('one\ntw') },
      { start: 20, bytes: bytes('end\nlast') },
    ])
    expect(drawn(withPiece(nothingHeld, piece))).toEqual([
      '1 one',
      '2 tw',
      '… 14 …',
      '@20 end',
      '@24 last',
      '… 2 …',
    ])
  })

  test('are several of a line that is too long, and none of them cuts a character', () => {
    const text = `${'é'.repeat(mostRowBytes)}\nnext`
    const piece = pieceOf(0, bytes(text).length, [{ start: 0, bytes: bytes(text) }])
    const rows = drawn(withPiece(nothingHeld, piece))
    expect(rows).toEqual([
      `1 ${mostRowBytes / 2}`,
      `@${mostRowBytes} ${mostRowBytes / 2}`,
      '2 next',
    ])
    const odd = pieceOf(0, bytes(`x${text}`).length, [{ start: 0, bytes: bytes(`x${text}`) }])
    const held = rowsOf(withPiece(nothingHeld, odd))
    const shown = Array.from({ length: held.count }, (_, index) =>
      new TextDecoder('utf-8', { fatal: true }).decode(held.bytesOf(index)),
    )
    expect(shown.join('')).toBe(`x${text}`)
  })

  test(
    'of two pieces are one where a line or a gap goes on, and begin with a whole line',
    { tags: 'large' },
    async () => {
      const line = 'a line of the log\n'
      const log = keptLog([{ start: 0, text: line.repeat(150_000) }])
      const [second, third] = [pieceBytes, 2 * pieceBytes]
      let held = withPiece(nothingHeld, (await readPiece(log, third)).piece)
      expect(drawn(held)[0]).toMatch(/^@\d+ a line of the log$/)
      held = withPiece(held, (await readPiece(log, second)).piece)
      held = withPiece(held, (await readPiece(log, 0)).piece)
      const rows = drawn(held)
      expect(rows).toHaveLength(150_000)
      expect(new Set(rows.map((row) => row.replace(/^\d+ /, '')))).toEqual(new Set([line.trim()]))
      expect(rows.at(-1)).toBe('150000 a line of the log')
    },
  )

  test('keep their numbers where the pieces before were seen, and are held no more', async () => {
    const log = keptLog([{ start: 0, text: 'line\n'.repeat(700_000) }])
    let held = nothingHeld
    for (let at = 0; at < 3 * pieceBytes; at += pieceBytes) {
      held = withPiece(held, (await readPiece(log, at)).piece)
    }
    const later = { ...nothingHeld, lines: held.lines }
    const rows = rowsOf(withPiece(later, (await readPiece(log, 3 * pieceBytes)).piece))
    const { start, number } = rows.at(5)
    expect(number).toBe(start / 5 + 1)
  })

  test('are found by any byte of them', () => {
    const rows = rowsOf(withPiece(nothingHeld, one(0, 'one\ntwo\nthree')))
    expect([0, 3, 4, 7, 8, 99].map(rows.find)).toEqual([0, 0, 1, 1, 2, 2])
    expect(rowsOf(nothingHeld).find(7)).toBe(0)
  })
})

describe('what is held', () => {
  const piece = (index: number) => one(index * pieceBytes, 'x')

  test('is 24 pieces at most: what is farthest from the newest goes', () => {
    let held = nothingHeld
    for (let index = 50; index >= 20; index -= 1) held = withPiece(held, piece(index))
    const indexes = () => held.pieces.map(({ from }) => from / pieceBytes)
    expect(indexes()).toEqual(Array.from({ length: 24 }, (_, index) => 20 + index))
    held = withPiece(held, piece(44))
    expect(indexes()).toEqual(Array.from({ length: 24 }, (_, index) => 21 + index))
  })

  test('is fewer where their lines are short', () => {
    let held = nothingHeld
    for (let index = 0; index < 5; index += 1) {
      held = withPiece(held, one(index * 200_000, '\n'.repeat(200_000)))
    }
    expect(held.pieces.map(({ from }) => from)).toEqual([600_000, 800_000])
  })
})

test('a piece is read in as many answers as there are gaps in it', async () => {
  const log = keptLog([
    { start: 100, text: 'one\n' },
    { start: 1_000, text: 'two\n' },
  ])
  const { piece, length } = await readPiece(log, pieceStart(500))
  expect(length).toBe(1_004)
  expect(drawn(withPiece(nothingHeld, piece))).toEqual([
    '… 100 …',
    '@100 one',
    '… 896 …',
    '@1000 two',
  ])
})

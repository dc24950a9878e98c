import { describe, expect, test } from 'vitest'
import type { FindAsked } from './find-messages.ts'
import { type Finding, begunAgain, hitFrom, nothingFound, takeFound } from './finding.ts'
import { pieceBytes } from './piece.ts'

const asked: FindAsked = { workspace: 'w', run: 'r', term: 'x', from: 0, length: 3 * pieceBytes }
const looking: Finding = { ...nothingFound, asked, state: 'looking' }
const says = (from: number, hits: number[], of = asked) =>
  ({ type: 'found', asked: of, from, hits, lines: 7 }) as const

describe('what is found', () => {
  test('stands in order, however it came, and says how far it was looked', () => {
    const first = takeFound(looking, says(2 * pieceBytes, [2 * pieceBytes + 1]))
    expect(first.hits).toEqual([2 * pieceBytes + 1])
    expect(Math.round(first.part * 100)).toBe(33)
    const second = takeFound(first, says(pieceBytes, [pieceBytes, pieceBytes + 9]))
    expect(second.hits).toEqual([pieceBytes, pieceBytes + 9, 2 * pieceBytes + 1])
    expect([...second.lines.keys()]).toEqual([2 * pieceBytes, pieceBytes])
    const done = takeFound(second, { type: 'done', asked, isCut: false })
    expect([done.state, done.part]).toEqual(['done', 1])
  })

  test('of another question counts no more', () => {
    expect(takeFound(looking, says(0, [1], { ...asked, term: 'xy' }))).toBe(looking)
    expect(takeFound(nothingFound, says(0, [1]))).toBe(nothingFound)
  })

  test('is looked for again where the log has grown, from its last piece on', () => {
    const done: Finding = { ...looking, state: 'done', hits: [5, 2 * pieceBytes + 5] }
    const length = asked.length + 100
    expect(begunAgain(done, asked.length)).toBeUndefined()
    expect(begunAgain(looking, length)).toBeUndefined()
    const short = { ...done, asked: { ...asked, length: 2 * pieceBytes + 50 } }
    expect(begunAgain(short, length)).toMatchObject({
      state: 'looking',
      hits: [5],
      asked: { from: 2 * pieceBytes, length },
    })
  })

  test('is gone through towards both ends, and begins with the newest', () => {
    const hits = [10, 20, 30]
    expect(hitFrom(hits, undefined, 'older')).toBe(30)
    expect(hitFrom(hits, 30, 'older')).toBe(20)
    expect(hitFrom(hits, 10, 'older')).toBe(30)
    expect(hitFrom(hits, 30, 'newer')).toBe(10)
    expect(hitFrom([], undefined, 'older')).toBeUndefined()
  })
})

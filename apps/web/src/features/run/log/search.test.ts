import { describe, expect, test } from 'vitest'
import { keptLog } from '../../../testing/kept-log.ts'
import { pieceBytes } from './piece.ts'
import type { ReadPart } from './read-log.ts'
import { hitsIn, searchLog } from './search.ts'

async function found(log: ReadPart, term: string, from = 0): Promise<number[]> {
  const { length } = await log({ tail: 1 })
  const hits: number[] = []
  for await (const piece of searchLog(log, { term, from, length })) hits.unshift(...piece.hits)
  return hits
}

describe('a word in a log', () => {
  test(
    'is found in every line that has it, large or small, whatever piece it is in',
    { tags: 'large' },
    async () => {
      const lines = Array.from({ length: 60_000 }, (_, index) =>
        index % 1_000 === 0
          ? `line ${index} has a NEEDLE in it, é\n`
          : `line ${index} has nothing to find in it\n`,
      )
      const text = lines.join('')
      const places = [...text.matchAll(/NEEDLE/g)].map(
        ({ index }) => new TextEncoder().encode(text.slice(0, index)).length,
      )
      expect(text.length).toBeGreaterThan(2 * pieceBytes)
      expect(await found(keptLog([{ start: 0, text }]), 'needle')).toEqual(places)
    },
  )

  test('is found where two pieces meet in it', async () => {
    const before = 'x'.repeat(60)
    const text = `${`${before}\n`.repeat(Math.floor(pieceBytes / 61))}${'y'.repeat(40)}`
    for (const shift of [-10, -3, 0, 3]) {
      const at = pieceBytes + shift
      const log = keptLog([{ start: 0, text: `${text.padEnd(at, '.').slice(0, at)}needle\nend\n` }])
      expect([shift, await found(log, 'needle')]).toEqual([shift, [expect.any(Number)]])
    }
  })

  test('is found beside a gap, and by no text on both sides of one', async () => {
    const log = keptLog([
      { start: 10, text: 'needle at first\nnee' },
      { start: 100, text: 'dle\na needle' },
      { start: 2 * pieceBytes, text: 'needle in the third' },
    ])
    expect(await found(log, 'needle')).toEqual([10, 106, 2 * pieceBytes])
  })

  test('is looked for again only in what came since', async () => {
    const log = keptLog([{ start: 0, text: 'needle\n'.repeat(10) }])
    expect(await found(log, 'needle', 63)).toEqual([63])
  })

  test('is found through colours, and several times in a line of many rows', () => {
    const coloured = new TextEncoder().encode('a\nfailed \u001b[31mhere\u001b[0m\n')
    expect(hitsIn(coloured, 100, 'failed here')).toEqual([102])
    const long = new TextEncoder().encode(`needle${'-'.repeat(10_000)}needle`)
    expect(hitsIn(long, 0, 'needle')).toEqual([0, 10_006])
  })

  test('counts the lines of each piece, where all of it is kept', async () => {
    const log = keptLog([{ start: 0, text: '0123456\n'.repeat(200_000) }])
    const { length } = await log({ tail: 1 })
    const lines: (number | undefined)[] = []
    for await (const piece of searchLog(log, { term: 'none', from: 0, length })) {
      lines.unshift(piece.lines)
    }
    expect(lines).toEqual([pieceBytes / 8, 200_000 - pieceBytes / 8])
  })
})

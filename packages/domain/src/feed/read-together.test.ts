import { describe, expect, test } from 'vitest'
import type { Domain } from '../domain.ts'
import { together } from './read-together.ts'

// only ever a key here
const domain = {} as Domain

function reading(answer: (what: string, from: number) => string | Error = (what) => what) {
  const reads: string[] = []
  const read = together({
    name: (_, what: string) => what,
    earlier: (one: number, other: number) => Math.min(one, other),
    async read(_, what, from) {
      reads.push(`${what} from ${from}`)
      const found = answer(what, from)
      if (found instanceof Error) throw found
      return found
    },
  })
  return { reads, ask: (what: string, from: number) => read(domain, what, from) }
}

describe('reads that are asked for in the same moment', () => {
  test('are one, from the earliest place that anybody asked for', async () => {
    const { reads, ask } = reading()
    const found = await Promise.all([ask('a', 3), ask('a', 1), ask('b', 5), ask('a', 2)])
    expect(found).toEqual(['a', 'a', 'b', 'a'])
    expect(reads).toEqual(['a from 1', 'b from 5'])
  })

  test('never begin before one of them was asked for', async () => {
    let committed = 'old'
    const { ask } = reading(() => committed)
    const early = ask('a', 1)
    await new Promise(setImmediate)
    await new Promise(setImmediate)
    committed = 'new'
    expect([await early, await ask('a', 1)]).toEqual(['old', 'new'])
  })

  test('fail for each who asked, and not for whoever asks again', async () => {
    let reason: Error | undefined = new Error('away')
    const { ask } = reading((what) => reason ?? what)
    const [one, other] = [ask('a', 1), ask('a', 1)]
    await expect(one).rejects.toThrow('away')
    await expect(other).rejects.toThrow('away')
    reason = undefined
    await expect(ask('a', 1)).resolves.toBe('a')
  })
})

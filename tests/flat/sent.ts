import pg from 'pg'
import { type MockInstance, vi } from 'vitest'

export interface Sent {
  text: string
  values: readonly unknown[]
}

/** The others, `begin` and `savepoint` among them, read no table. */
export const hasPlan = /^\s*(?:select|with|insert|update|delete)\b/i

/** What this process sends to the database while `work` runs: each text once, with the values it came with last. */
export async function statementsOf(work: () => Promise<unknown>): Promise<Sent[]> {
  const sent = new Map<string, Sent>()
  const spy = vi.spyOn(pg.Client.prototype, 'query')
  try {
    await work()
    for (const [given] of spy.mock.calls as unknown[][]) {
      // the driver is given a text alone, or one with its values
      const { text, values } =
        typeof given === 'string' ? { text: given, values: [] } : (given as Sent)
      if (hasPlan.test(text)) sent.set(text, { text, values })
    }
  } finally {
    spy.mockRestore()
  }
  return [...sent.values()]
}

/** Hints, and the note that a token was used, which is made at most once a minute. */
const besideCalls = /pg_notify|set "last_used_at"/

/** How many statements this process sends while `work` runs, and what it answers. */
export async function countOf<T>(work: () => Promise<T>): Promise<[number, T]> {
  const spy = vi.spyOn(pg.Client.prototype, 'query')
  try {
    const answer = await work()
    return [textsOf(spy).filter((text) => !besideCalls.test(text)).length, answer]
  } finally {
    spy.mockRestore()
  }
}

/** How many statements that read this table the process has sent since. */
export function countReads(table: string): Disposable & { count: () => number } {
  const spy = vi.spyOn(pg.Client.prototype, 'query')
  const reads = new RegExp(`\\bfrom ${table}\\b`)
  return {
    count: () => textsOf(spy).filter((text) => reads.test(text)).length,
    [Symbol.dispose]: () => spy.mockRestore(),
  }
}

function textsOf({ mock }: MockInstance<typeof pg.Client.prototype.query>): string[] {
  return mock.calls.map(([given]) =>
    typeof given === 'string' ? given : (given as unknown as Sent).text,
  )
}

export interface Turns {
  /** Begins when all before it is done. What waits already is not asked for twice. */
  take: (name: string, work: () => Promise<void>) => Promise<void>
  /** The same, for whoever does not wait for it: why it failed is told to `onError` in any case. */
  soon: (name: string, work: () => Promise<void>) => void
  /** What failed last once more. */
  again: () => void
}

/** Work that is done one after the other, until the signal ends it. */
export function takeTurns(signal: AbortSignal, onError: (error: Error) => void): Turns {
  const waiting = new Set<string>()
  let last: Promise<unknown> = Promise.resolve()
  let repeat: () => void = () => undefined

  const take: Turns['take'] = (name, work) => {
    if (waiting.has(name)) return Promise.resolve()
    waiting.add(name)
    const turn = last.then(async () => {
      waiting.delete(name)
      if (!signal.aborted) await work()
    })
    last = turn.catch((error: unknown) => {
      repeat = () => soon(name, work)
      if (!signal.aborted) onError(error instanceof Error ? error : new Error(String(error)))
    })
    return turn
  }
  const soon: Turns['soon'] = (name, work) => void take(name, work).catch(() => undefined)
  return { take, soon, again: () => repeat() }
}

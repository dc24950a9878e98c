import type { RunLog } from './run-log.ts'

const againMs = 1_000

export interface LateWrites {
  /** Writes now, or when there is room again, in the order given. True when all is written. */
  write: (work: () => void) => boolean
  /** Tries what waits. True when nothing does any more. */
  flush: () => boolean
}

/** Writes that a full disk puts off and does not lose, as long as this process lives. */
export function writeWhenPossible(log: RunLog): LateWrites {
  const waiting: (() => void)[] = []
  let timer: NodeJS.Timeout | undefined

  function flush(): boolean {
    clearTimeout(timer)
    try {
      for (let work = waiting[0]; work !== undefined; work = waiting[0]) {
        work()
        waiting.shift()
      }
      return true
    } catch (error) {
      log.warn({ err: error }, 'the disk takes nothing: trying again')
      timer = setTimeout(flush, againMs).unref()
      return false
    }
  }

  return {
    write(work) {
      waiting.push(work)
      return flush()
    },
    flush,
  }
}

import { isDiskFull } from '@svc/embedded-postgres/disk'
import type { Reporter } from './reporter.ts'

const lookMs = 2_000

/** Says when the disk that holds the folder is full, and when it has room again. */
export function watchDisk(folder: string, reporter: Reporter): Disposable {
  let wasFull = false
  const look = () => {
    const isFull = isDiskFull(folder)
    if (isFull && !wasFull) {
      reporter.notice(
        `The disk that holds ${folder} is full: free some space; until then svc refuses what it cannot keep.`,
      )
    }
    if (!isFull && wasFull) reporter.notice(`The disk that holds ${folder} has room again.`)
    wasFull = isFull
  }
  const timer = setInterval(look, lookMs)
  timer.unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

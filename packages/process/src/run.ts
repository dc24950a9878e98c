import { constants } from 'node:os'
import { z } from 'zod'
import { ConfigurationError, readEnvironment, variable } from './env.ts'
import { type Log, createLog } from './log.ts'

export interface Running {
  readonly log: Log
  /** Aborts when the process is to stop. */
  readonly signal: AbortSignal
  /** Opens something and keeps it to be closed at the stop, last opened first. Rejects once the stop has begun. */
  open: <T extends AsyncDisposable>(opening: () => T | Promise<T>) => Promise<T>
  /** Ends a service that cannot go on. */
  stop: (code: number) => void
  /** What a second signal still does before the process ends at once, all of it side by side; a third does not wait. */
  onSecondSignal: (leaveNothing: () => Promise<unknown>) => void
}

/** A number is the exit code of finished work; nothing means that a service is up and runs until a signal. */
export type Main = (running: Running) => Promise<number | void>

/** SIGHUP: the terminal was closed. */
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
type StopSignal = (typeof stopSignals)[number]

const configurationExitCode = 78
const sameSignalMs = 1_000
const parentWatchMs = 500

/**
 * Runs a process to its end and ends it. Exit codes: what `main` returns; 0 for a service that was stopped; 128 and the
 * signal's number for work that was interrupted; 78 for a ConfigurationError; 1 for any other failure.
 */
export function run(name: string, main: Main): void {
  const environment = readOwnEnvironment(name)
  const log = createLog({ name, level: environment.SVC_LOG_LEVEL })
  const life = createLife(log)
  watchSignals(life)
  outliveTerminal()
  if (environment.SVC_PARENT_WATCH) watchParent(life)
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'an error that nobody caught')
    void life.stop(1)
  })
  main(life.running).then(
    (code) => (code === undefined ? life.setUp() : void life.stop(code)),
    (error: unknown) => life.fail(error),
  )
}

/** What every process reads from its environment, whatever it does. */
export const ProcessEnvironment = z.object({
  SVC_LOG_LEVEL: variable('SVC_LOG_LEVEL'),
  SVC_PARENT_WATCH: variable('SVC_PARENT_WATCH'),
})

function readOwnEnvironment(name: string): z.infer<typeof ProcessEnvironment> {
  try {
    return readEnvironment(ProcessEnvironment, process.env)
  } catch (error) {
    createLog({ name }).fatal(error instanceof Error ? error.message : error)
    process.exit(configurationExitCode)
  }
}

type Life = ReturnType<typeof createLife>

function createLife(log: Log) {
  const stopping = new AbortController()
  const stack = new AsyncDisposableStack()
  const openings = new Set<Promise<unknown>>()
  const last = new Set<() => Promise<unknown>>()
  let up = false
  let stopped: Promise<void> | undefined
  let ending: Promise<never> | undefined

  async function keep<T extends AsyncDisposable>(opening: () => T | Promise<T>): Promise<T> {
    const resource = await opening()
    if (!stopping.signal.aborted) return stack.use(resource)
    await resource[Symbol.asyncDispose]()
    throw stopping.signal.reason
  }

  async function end(code: number): Promise<void> {
    stopping.abort(new Error('the process is stopping'))
    // What is just opening stands on what is open: it closes first.
    await Promise.allSettled(openings)
    const failed = await stack.disposeAsync().then(
      () => false,
      (error: unknown) => {
        log.error({ err: error }, 'something did not close cleanly')
        return true
      },
    )
    await ending
    process.exit(failed && code === 0 ? 1 : code)
  }

  async function endAtOnce(code: number): Promise<never> {
    await Promise.allSettled([...last].map((leaveNothing) => leaveNothing()))
    process.exit(code)
  }

  const life = {
    running: {
      log,
      signal: stopping.signal,
      open(opening) {
        if (stopping.signal.aborted) return Promise.reject(stopping.signal.reason)
        const kept = keep(opening)
        openings.add(kept)
        return kept.finally(() => openings.delete(kept))
      },
      stop(code) {
        void life.stop(code)
      },
      onSecondSignal(leaveNothing) {
        last.add(leaveNothing)
      },
    } satisfies Running,
    setUp() {
      up = true
    },
    stop(code: number): Promise<void> {
      return (stopped ??= end(code))
    },
    fail(error: unknown): void {
      if (stopping.signal.aborted) return
      if (error instanceof ConfigurationError) log.fatal(error.message)
      else log.fatal({ err: error }, 'the process failed')
      void this.stop(error instanceof ConfigurationError ? configurationExitCode : 1)
    },
    interrupt(signal: StopSignal, count: number): void {
      const code = 128 + constants.signals[signal]
      if (count === 1) void this.stop(up ? 0 : code)
      else if (count === 2) ending = endAtOnce(code)
      else process.exit(code)
    },
  }
  return life
}

/**
 * One Ctrl-C reaches a process more than once (group, npm, start script): within a second it counts once. That a terminal
 * was closed is said again for each process that goes with it, however late: it never counts as a second press.
 */
function watchSignals(life: Life): void {
  let count = 0
  let lastCounted = -Infinity
  const receive = (signal: StopSignal) => {
    const now = performance.now()
    if (now - lastCounted < sameSignalMs || (signal === 'SIGHUP' && count > 0)) return
    lastCounted = now
    count += 1
    life.interrupt(signal, count)
  }
  for (const signal of stopSignals) process.on(signal, receive)
}

/** What is said to a terminal that was closed, or to a reader that has gone, is lost; the work goes on. */
function outliveTerminal(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
}

function watchParent(life: Life): void {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    life.interrupt('SIGTERM', 1)
  }, parentWatchMs)
}

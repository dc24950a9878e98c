import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compileCache } from '../files/compile-cache.ts'
import type { Home } from '../files/home.ts'
import { withoutServerVariables } from '../plan/environment.ts'
import type { Claimant } from '../run/claimant.ts'
import { type JournalStep, findStep, isDone, readJournal } from '../run/journal.ts'
import type { RunOrder } from '../run/order.ts'
import { createRunFolder, isRunOf, listRunFolders, writeStopOrder } from '../run/run-folder.ts'
import { findSupervisor } from '../run/supervision.ts'
import { killHard, killRun } from './kill-run.ts'
import { type RecoverInput, recoverRun } from './recover.ts'
import { sayLeftAlone } from './runs-of-others.ts'

const supervisorMain = fileURLToPath(import.meta.resolve('#supervisor'))
/** A supervisor waits most of its time: it needs little room for what is new, and few threads to clear it up. */
const small = ['--optimize-for-size', '--max-semi-space-size=1', '--single-threaded', '--expose-gc']
/** A supervisor that was started and has written nothing yet is given so long. */
const startMs = 30_000

interface Tracked {
  folder: string
  /** The process of a supervisor that this daemon has started itself. */
  child: { pid: number; startedAtMs: number; exited: boolean } | undefined
  recovering: boolean
  /** The last order that its supervisor was given. */
  ordered: 'end' | 'end unless spawned' | undefined
}

/** The runs of one home that are this daemon's, whoever started their supervisors. */
export interface Runs extends AsyncDisposable {
  /** Runs that are not over. */
  running: () => number
  /** Runs whose agent is not started yet. */
  starting: () => number
  start: (order: RunOrder) => string
  /** Looks at every run folder and takes care of those that nobody does. */
  scan: () => void
  /** Orders every supervisor to end its run. */
  stopAll: (order: { unlessSpawned: boolean }) => void
  /** The token of this daemon is refused: what supervisors leave is for one whose token is taken. */
  leaveToNext: () => void
  /** Kills every supervisor and every process of its run; the next daemon reports how they ended. */
  killAll: () => Promise<void>
  isOver: (folder: string) => boolean
  /** Resolves at the next change of any run, or after the time. */
  changed: (ms: number) => Promise<void>
}

export interface RunsInput extends RecoverInput {
  home: Home
  /** Whose runs this daemon takes care of; those of others it leaves as they are. */
  claimant: Claimant
  /** A run of which nothing is left to do. */
  onOver: (folder: string, steps: readonly JournalStep[]) => void
}

export function trackRuns({ home, claimant, bootId, env, log, onOver }: RunsInput): Runs {
  const tracked = new Map<string, Tracked>()
  /** Runs of others that nobody takes care of; each was told of once. */
  const left = new Set<string>()
  /** Folders of runs that are over: nothing changes in them, so that each is read once. */
  const over = new Set<string>()
  const leaving = new AbortController()
  const recoveries = new Set<Promise<void>>()
  let isLeft = false
  const change = createBell()

  function startSupervisor(run: Tracked): void {
    try {
      spawnSupervisor(run)
    } catch (error) {
      log.warn({ err: error }, 'a supervisor could not be started; trying again')
    }
  }

  function spawnSupervisor(run: Tracked): void {
    const output = openSync(join(run.folder, 'supervisor.log'), 'a', 0o600)
    try {
      const child = spawn(process.execPath, [...small, supervisorMain, run.folder], {
        cwd: run.folder,
        env: { NODE_COMPILE_CACHE: compileCache, ...withoutServerVariables(env) },
        detached: true,
        stdio: ['ignore', output, output],
      })
      const { pid } = child
      const started = { pid: pid ?? 0, startedAtMs: performance.now(), exited: pid === undefined }
      run.child = started
      child.once('error', (error) => log.warn({ err: error }, 'a supervisor could not be started'))
      const gone = () => {
        started.exited = true
        look(run)
        change.ring()
      }
      child.once('exit', gone)
      child.once('error', gone)
      child.unref()
    } finally {
      closeSync(output)
    }
  }

  function look(run: Tracked): void {
    const steps = readJournal(run.folder)
    if (isDone(steps)) return end(run, steps)
    if (isLeft || leaving.signal.aborted || run.recovering || isSupervised(run)) return
    if (isUntouched(run, steps, bootId)) startSupervisor(run)
    else recover(run)
  }

  function end({ folder }: Tracked, steps: readonly JournalStep[]): void {
    over.add(folder)
    if (tracked.delete(folder)) onOver(folder, steps)
    change.ring()
  }

  function recover(run: Tracked): void {
    run.recovering = true
    // one that never came must not come any more
    const late = livingChild(run.child)
    if (late !== undefined) killHard(late)
    log.warn({ run: basename(run.folder) }, 'the supervisor of this run is gone: ending the run')
    const recovery = recoverRun(run.folder, { bootId, env, log }, leaving.signal)
      .catch((error: unknown) => log.warn({ err: error }, 'a run could not be ended; trying again'))
      .finally(() => {
        run.recovering = false
        recoveries.delete(recovery)
        const steps = readJournal(run.folder)
        if (isDone(steps)) end(run, steps)
      })
    recoveries.add(recovery)
  }

  function scan(): void {
    const ofOthers: string[] = []
    for (const folder of listRunFolders(home, over)) {
      if (tracked.has(folder)) continue
      // one that an earlier daemon ended is nobody's news
      if (isDone(readJournal(folder))) over.add(folder)
      else if (!isRunOf(folder, claimant)) ofOthers.push(folder)
      else tracked.set(folder, { folder, child: undefined, recovering: false, ordered: undefined })
    }
    tellOf(ofOthers)
    for (const run of tracked.values()) look(run)
  }

  function tellOf(ofOthers: readonly string[]): void {
    // one that has its supervisor ends, and is reported, as for whom it was claimed
    const news = ofOthers.filter((one) => !left.has(one) && findSupervisor(one) === undefined)
    for (const folder of news) left.add(folder)
    for (const text of sayLeftAlone(home, news)) log.warn({}, text)
  }

  return {
    running: () => (isLeft ? [...tracked.values()].filter(isSupervised).length : tracked.size),
    starting: () => [...tracked.values()].filter(isStarting).length,
    start(order) {
      const folder = createRunFolder(home, order, claimant.person)
      const run: Tracked = { folder, child: undefined, recovering: false, ordered: undefined }
      tracked.set(folder, run)
      startSupervisor(run)
      return folder
    },
    scan,
    stopAll({ unlessSpawned }) {
      for (const run of tracked.values()) orderStop(run, unlessSpawned)
    },
    leaveToNext() {
      isLeft = true
    },
    async killAll() {
      leaving.abort(new Error('the runs are killed'))
      const runs = [...tracked.values()]
      await Promise.allSettled(
        runs.map(({ folder, child }) => killRun(folder, bootId, livingChild(child))),
      )
    },
    isOver: (folder) => !tracked.has(folder),
    changed: (ms) => change.heard(ms),
    async [Symbol.asyncDispose]() {
      leaving.abort(new Error('the daemon is stopping'))
      await Promise.allSettled(recoveries)
    },
  }
}

function isStarting({ folder }: Tracked): boolean {
  const steps = readJournal(folder)
  return findStep(steps, 'spawned') === undefined && findStep(steps, 'reported') === undefined
}

function isSupervised({ folder, child }: Tracked): boolean {
  if (findSupervisor(folder) !== undefined) return true
  if (child === undefined || child.exited) return false
  return performance.now() - child.startedAtMs < startMs
}

/** The process of a supervisor that has not exited. */
function livingChild(child: Tracked['child']): number | undefined {
  return child?.exited === false ? child.pid : undefined
}

/** Claimed in this boot, and no supervisor ever wrote a line. */
function isUntouched(run: Tracked, steps: readonly JournalStep[], bootId: string): boolean {
  const isSameBoot = findStep(steps, 'claimed')?.bootId === bootId
  return isSameBoot && run.child === undefined && findStep(steps, 'supervisor') === undefined
}

function orderStop(run: Tracked, unlessSpawned: boolean): void {
  const { folder } = run
  const order = unlessSpawned ? 'end unless spawned' : 'end'
  if (run.ordered === order) return
  const supervisor = findSupervisor(folder)
  if (supervisor === undefined) return
  try {
    writeStopOrder(folder, { cause: 'runner_stopped', unlessSpawned })
    process.kill(supervisor.pid, 'SIGTERM')
    run.ordered = order
  } catch {
    // It has gone in between.
  }
}

function createBell() {
  let bell = Promise.withResolvers<void>()
  return {
    ring() {
      bell.resolve()
      bell = Promise.withResolvers<void>()
    },
    async heard(ms: number): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, ms)
      await Promise.race([promise, bell.promise])
      clearTimeout(timer)
    },
  }
}

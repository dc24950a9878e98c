import { type ProcessIdentity, isAlive } from '@svc/process/process-identity'
import { type JournalStep, findStep } from '@svc/runner/run/journal'
import { listUnfinishedRuns } from '@svc/runner/run/run-folder'
import { sql } from 'kysely'
import type { Machine } from '../e2e/support/machine.ts'
import type { Ground } from './runner-ground.ts'

const kinds = ['daemon', 'supervisor', 'agent', 'api'] as const
type Kind = (typeof kinds)[number]

/** Calls that take a run a step further: they are what disturbances are timed by. */
const furthering =
  /\/(launching|launched|attach|update|add-artifact|deliver|exited|released|failed)$/
/** The calls from one disturbance to the next. */
const calmCalls = 20
/** What was killed or paused comes back after so many of them, */
const recoveryCalls = 10
/** and at the latest now: nothing might be left that calls. */
const recoveryMs = 2_500

export interface Trouble {
  /** How many calls took a run further so far. */
  progress: () => number
  look: () => Promise<void>
  /** Everything that was killed or paused is there again. */
  recoverAll: () => Promise<void>
  kills: Readonly<Record<Kind, number>>
  pauses: Readonly<Record<Kind, number>>
}

interface Recovery {
  atProgress: number
  atMs: number
  work: () => unknown
}

/** Kills and pauses a process of the ground every few calls. */
export function makeTrouble({ service, sites }: Ground, random: () => number): Trouble {
  const machines = sites.map(({ machine }) => machine)
  const progress = countCalls(machines)
  const kills = { daemon: 0, supervisor: 0, agent: 0, api: 0 }
  const pauses = { daemon: 0, supervisor: 0, agent: 0, api: 0 }
  const recoveries: Recovery[] = []
  /** Daemons and services that were killed or paused and have not come back. */
  const away = new Set<Machine | Kind>()
  let next = draw(calmCalls)

  function draw(most: number): number {
    return 1 + Math.floor(random() * most)
  }

  function pick<T>(all: readonly T[]): T | undefined {
    return all[Math.floor(random() * all.length)]
  }

  function later(work: () => unknown): void {
    const atProgress = progress() + draw(recoveryCalls)
    recoveries.push({ atProgress, atMs: performance.now() + recoveryMs * random(), work })
  }

  async function disturb(): Promise<void> {
    const kind = pick(kinds) ?? 'daemon'
    const isKill = random() < 0.5
    const isDone = await { daemon, supervisor, agent, api }[kind](isKill)
    const counts = isKill ? kills : pauses
    if (isDone) counts[kind] += 1
  }

  async function daemon(isKill: boolean): Promise<boolean> {
    const machine = pick(machines.filter((one) => !away.has(one) && !one.daemon().isOver()))
    if (machine === undefined) return false
    const { pid, killNow } = machine.daemon()
    away.add(machine)
    if (isKill) await killNow()
    else signal(pid, 'SIGSTOP')
    later(() => {
      away.delete(machine)
      return isKill ? machine.start() : signal(pid, 'SIGCONT')
    })
    return true
  }

  async function supervisor(isKill: boolean): Promise<boolean> {
    const run = pick(unfinished(machines, 'supervisor'))
    if (run === undefined) return false
    if (!isKill && random() < 0.5) await lapse(run.requestId)
    return hit(run.identity, isKill)
  }

  function agent(isKill: boolean): boolean {
    const run = pick(unfinished(machines, 'spawned'))
    return run !== undefined && hit(run.identity, isKill)
  }

  function hit(identity: ProcessIdentity, isKill: boolean): boolean {
    signal(identity.pid, isKill ? 'SIGKILL' : 'SIGSTOP')
    if (!isKill) later(() => isAlive(identity) && signal(identity.pid, 'SIGCONT'))
    return true
  }

  async function api(isKill: boolean): Promise<boolean> {
    if (away.has('api')) return false
    const { pid, killNow } = service.api()
    away.add('api')
    if (isKill) await killNow()
    else signal(pid, 'SIGSTOP')
    later(async () => {
      if (isKill) await service.start()
      else signal(pid, 'SIGCONT')
      away.delete('api')
    })
    return true
  }

  /** As if it slept for longer than its lease; nobody else's time passes. */
  async function lapse(requestId: string): Promise<void> {
    await sql`update execution_requests set lease_expires_at = app.now() - interval '1 hour'
               where id = ${requestId} and lease_expires_at is not null`.execute(service.domain.db)
  }

  async function recoverThose(isDue: (recovery: Recovery) => boolean): Promise<void> {
    for (const recovery of recoveries.filter(isDue)) {
      recoveries.splice(recoveries.indexOf(recovery), 1)
      await recovery.work()
    }
  }

  return {
    progress,
    kills,
    pauses,
    async look() {
      await recoverThose((one) => progress() >= one.atProgress || performance.now() >= one.atMs)
      if (progress() < next) return
      next = progress() + draw(calmCalls)
      await disturb()
    },
    recoverAll: () => recoverThose(() => true),
  }
}

/** Each once: a call that is sent again because nobody answered takes nothing further. */
function countCalls(machines: readonly Machine[]): () => number {
  const read = new Map<Machine, number>()
  const calls = new Set<string>()
  return () => {
    for (const machine of machines) {
      const { seen } = machine.proxy
      for (const { path, body } of seen.slice(read.get(machine) ?? 0)) {
        if (furthering.test(path)) calls.add(path + body)
      }
      read.set(machine, seen.length)
    }
    return calls.size
  }
}

/** Living processes of that step, of all runs that are not over. */
function unfinished(machines: readonly Machine[], step: 'supervisor' | 'spawned') {
  return machines
    .flatMap(({ home }) => listUnfinishedRuns(home))
    .flatMap(({ steps }) => {
      const identity = identityOf(findStep(steps, step))
      const requestId = findStep(steps, 'claimed')?.requestId
      if (identity === undefined || requestId === undefined || !isAlive(identity)) return []
      return [{ identity, requestId }]
    })
}

function identityOf(
  step: Extract<JournalStep, { pid: number }> | undefined,
): ProcessIdentity | undefined {
  return step && { pid: step.pid, startedAt: step.pidStartedAt }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // it has gone in between
  }
}

import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { median, say, spread, table } from '../figures.ts'
import { openApiClient } from './client.ts'
import { type Run, type Step, claimOf, machineFor, requireLease, steps, walk } from './cycle.ts'
import { fillDrafts } from './fill.ts'
import { endRuns } from './fleet.ts'
import { type Stage, openStage, untilHandedOn } from './stage.ts'
import { cpuOf } from '../cpu.ts'

const rounds = 3
/** A service runs for days: until its code is compiled. */
const warmUps = 6
const cycles = 40
const idleMs = 1_500
const machines = 4

/** What a runner asks while nothing happens: with a run, and with room for one. */
const renewLease: Step = async (api, run) => {
  const { id: requestId, leaseToken } = requireLease(run)
  const leases = [{ requestId, leaseToken, state: 'running' as const }]
  await api.call('heartbeatRunner', run.token, { instanceId: run.machine.instanceId, leases })
}
const claimNothing: Step = async (api, { token, machine }) => {
  const claim = claimOf({ ...machine, agent: 'of-nobody' })
  await api.call('claimExecutionRequest', token, { ...claim, waitSeconds: 0 })
}
const beside = ['renewal of a lease', 'claim that finds nothing']

/** The cost of one cycle or call. */
interface Cost {
  statements: number
  applicationMs: number
  postgresMs: number
  dispatcherMs: number
  wallMs: number
}

/** Statements and processor time by call, and of whole cycles with their fan-out; one client. */
export async function measureCosts(): Promise<void> {
  await using stage = await openStage({
    projects: 1,
    settings: { shared_preload_libraries: 'pg_stat_statements' },
    // what runs by the clock would be counted with the calls
    env: { SVC_SWEEP_SECONDS: '86400' },
  })
  await sql`create extension pg_stat_statements`.execute(stage.db)
  const byStep = new Map<string, Cost[]>(
    [...Object.keys(steps), ...beside].map((name) => [name, []]),
  )
  const whole: Cost[] = []
  for (let round = 0; round < warmUps; round += 1) await stepByStep(stage, new Map())
  for (let round = 0; round < rounds; round += 1) {
    await stepByStep(stage, byStep)
    whole.push(await withFanOut(stage))
  }
  print(byStep, whole)
}

/** Each step for all runs before the next one, so that what is spent between two readings is one step's. */
async function stepByStep(stage: Stage, costs: ReadonlyMap<string, Cost[]>): Promise<void> {
  await using api = openApiClient(stage.api.url, 1)
  const runs = await layOut(stage)
  const measure = async (name: string, step: Step) => {
    const cost = await costOf(stage, cycles, async () => {
      for (const run of runs) await step(api, run)
    })
    costs.get(name)?.push(cost)
  }
  for (const [name, step] of Object.entries(steps)) {
    await measure(name, step)
    // while its agent is yet to come
    if (name === 'launched') await measure('renewal of a lease', renewLease)
  }
  await measure('claim that finds nothing', claimNothing)
}

async function withFanOut(stage: Stage): Promise<Cost> {
  await using api = openApiClient(stage.api.url, 1)
  await using dispatcher = await stage.startDispatcher()
  await untilHandedOn(stage)
  const runs = await layOut(stage)
  const idle = await costOf(stage, 1, () => delay(idleMs), dispatcher.pid)
  const busy = await costOf(
    stage,
    cycles,
    async () => {
      for (const run of runs) await walk(api, run)
      await untilHandedOn(stage)
    },
    dispatcher.pid,
  )
  // what the dispatcher does by the clock is not the cycles'
  const share = busy.wallMs / idle.wallMs
  return {
    statements: busy.statements - idle.statements * share,
    applicationMs: busy.applicationMs,
    postgresMs: busy.postgresMs - idle.postgresMs * share,
    dispatcherMs: busy.dispatcherMs - idle.dispatcherMs * share,
    wallMs: busy.wallMs,
  }
}

async function layOut(stage: Stage): Promise<Run[]> {
  await endRuns(stage)
  const [place] = stage.places
  if (!place) throw new Error('the stage has no project')
  const objectives = await fillDrafts(stage.db, place, cycles)
  const used = Array.from({ length: machines }, () => machineFor(place.projectId))
  return objectives.map((objectiveId, index) => ({
    objectiveId,
    token: stage.nextToken(),
    machine: used[index % machines] ?? machineFor(place.projectId),
  }))
}

async function costOf(
  stage: Stage,
  times: number,
  work: () => Promise<unknown>,
  dispatcher?: number,
): Promise<Cost> {
  const read = async () => ({
    ...stage.cpu(),
    dispatcher: dispatcher === undefined ? 0 : cpuOf(dispatcher),
    statements: await statementsSoFar(stage),
    at: performance.now(),
  })
  const before = await read()
  await work()
  const after = await read()
  return {
    statements: (after.statements - before.statements) / times,
    applicationMs: (after.application - before.application) / times,
    postgresMs: (after.postgres - before.postgres) / times,
    dispatcherMs: (after.dispatcher - before.dispatcher) / times,
    wallMs: (after.at - before.at) / times,
  }
}

/** Begin and commit are among them; what this bench asks, and what PostgreSQL asks itself for foreign keys, is not. */
async function statementsSoFar({ db }: Stage): Promise<number> {
  const { rows } = await sql<{ calls: number }>`
    select coalesce(sum(calls), 0)::int8 as calls from pg_stat_statements
     where query not like '%pg\\_stat\\_statements%' and query not like 'SELECT 1 FROM ONLY %' and query not like '%bench\\_waiting%'`.execute(
    db,
  )
  return rows[0]?.calls ?? 0
}

function print(byStep: ReadonlyMap<string, Cost[]>, whole: readonly Cost[]): void {
  say(
    `costs, one client, ${rounds} rounds of ${cycles} cycles: median (least to most); PostgreSQL counts its statements meanwhile`,
  )
  const cells = (name: string, costs: readonly Cost[]) => [
    name,
    spread(costs.map((cost) => cost.statements)),
    spread(costs.map((cost) => cost.applicationMs)),
    byStep.has(name) ? '' : spread(costs.map((cost) => cost.dispatcherMs)),
    spread(costs.map((cost) => cost.postgresMs)),
    spread(costs.map((cost) => cost.wallMs)),
  ]
  const calls = [...byStep]
    .filter(([name]) => name in steps)
    .reduce((sum, [, costs]) => sum + median(costs.map((cost) => cost.statements)), 0)
  const all = median(whole.map((cost) => cost.statements))
  table([
    ['', 'statements', 'application, CPU ms', 'dispatcher', 'PostgreSQL', 'ms'],
    ...[...byStep].map(([name, costs]) => cells(name, costs)),
    cells('whole cycle with fan-out', whole),
  ])
  say(`of the cycle's ${all.toFixed(1)} statements the six calls send ${calls.toFixed(1)}`)
}

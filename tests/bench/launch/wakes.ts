import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { percentile, say, spread, table } from '../figures.ts'
import { type ApiClient, openApiClient } from './client.ts'
import { leaseOf } from '@svc/domain/testing/runner'
import { type Machine, agent, claimOf, machineFor } from './cycle.ts'
import { type Place, fillDrafts } from './fill.ts'
import { type Stage, openStage } from './stage.ts'

const rounds = 3
const samples = 20
/** A round ends with this even if it has fewer samples. */
const roundMs = 5_000
/** Who waits longer than this is counted with it, and the launch is withdrawn. */
const longestMs = 5_000
const waitSeconds = 25

interface Setting {
  idle: number
  /** How many of them have the agent. */
  able: number
}

const settings: readonly Setting[] = [
  { idle: 1, able: 1 },
  { idle: 50, able: 50 },
  { idle: 200, able: 200 },
  { idle: 50, able: 1 },
  { idle: 200, able: 1 },
]

/** From sending a launch to the answer of the claim that waits for it. */
export async function measureWakes(): Promise<void> {
  await using stage = await openStage({ projects: 1 })
  const taken = new Map<Setting, number[][]>(settings.map((setting) => [setting, []]))
  for (let round = 0; round < rounds; round += 1) {
    for (const setting of settings) taken.get(setting)?.push(await sample(stage, setting))
  }
  say(
    `launch to claim, ms, ${rounds} rounds of ${samples} launches or ${roundMs / 1000} s, ${longestMs} stands for more: median (least to most)`,
  )
  table([
    ['idle runners', 'with the agent', 'p50', 'p95', 'launches'],
    ...[...taken].map(([{ idle, able }, all]) => [
      String(idle),
      String(able),
      spread(all.map((values) => percentile(values, 0.5))),
      spread(all.map((values) => percentile(values, 0.95))),
      String(all.flat().length),
    ]),
  ])
}

async function sample(stage: Stage, { idle, able }: Setting): Promise<number[]> {
  const [place] = stage.places
  if (!place) throw new Error('the stage has no project')
  const objectives = await fillDrafts(stage.db, place, samples)
  await using waiting = await startWaiting(stage, place, { idle, able })
  await using api = openApiClient(stage.api.url, 1)
  const latencies: number[] = []
  const end = performance.now() + roundMs
  for (const id of objectives) {
    if (performance.now() > end) break
    const begun = performance.now()
    const claimed = waiting.next()
    await api.call('launchObjective', stage.nextToken(), { id, agent })
    const at = await Promise.race([claimed, delay(longestMs, undefined, { ref: false })])
    if (at === undefined) await withdraw(stage)
    latencies.push(at === undefined ? longestMs : at - begun)
    // until whoever took it waits again
    await delay(50)
  }
  return latencies
}

async function withdraw({ db }: Stage): Promise<void> {
  await sql`update execution_requests set status = 'cancelled', ended_at = app.now()
             where status = 'queued'`.execute(db)
}

interface Waiting extends AsyncDisposable {
  /** When the next claim is answered with a run. */
  next: () => Promise<number>
}

/** Runners that claim and do nothing else. */
export async function startWaiting(
  stage: Stage,
  { projectId }: Place,
  { idle, able }: Setting,
): Promise<Waiting> {
  const api = openApiClient(stage.api.url, idle)
  const over = new AbortController()
  let resolve = (_at: number): void => undefined
  const machines = Array.from({ length: idle }, (_, index) =>
    machineFor(projectId, index < able ? agent : 'another'),
  )
  const waits = machines.map((machine) =>
    waitOn({ api, stage, machine, signal: over.signal }, () => resolve(performance.now())),
  )
  await untilHeard(stage, machines)
  return {
    next: () => new Promise((given) => (resolve = given)),
    async [Symbol.asyncDispose]() {
      over.abort()
      await Promise.all(waits)
      await api[Symbol.asyncDispose]()
    },
  }
}

interface Waiter {
  api: ApiClient
  stage: Stage
  machine: Machine
  signal: AbortSignal
}

/** Claims as a daemon does; what it gets has failed, so that it is free for the next. */
async function waitOn({ api, stage, machine, signal }: Waiter, onRun: () => void): Promise<void> {
  while (!signal.aborted) {
    const token = stage.nextToken()
    const claim = { ...claimOf(machine), waitSeconds }
    const answer = await api
      .call('claimExecutionRequest', token, claim, signal)
      .catch((error: unknown) => {
        if (!signal.aborted) throw error
      })
    if (!answer?.request) continue
    onRun()
    const { id, leaseToken } = leaseOf(answer)
    const failure = {
      code: 'agent_not_found',
      message: 'It is not there.',
      phase: 'spawn',
    } as const
    await api.call('reportFailed', token, { id, leaseToken, ...failure })
  }
}

/** Each has looked once, and waits since. */
async function untilHeard({ db }: Stage, machines: readonly Machine[]): Promise<void> {
  const fingerprints = machines.map(({ fingerprint }) => fingerprint)
  for (let heard = 0; heard < machines.length; await delay(50)) {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from runners where fingerprint = any(${fingerprints}::text[])
      `.execute(db)
    heard = rows[0]?.count ?? 0
  }
  await delay(200)
}

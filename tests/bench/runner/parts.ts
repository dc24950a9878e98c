import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { findStep } from '@svc/runner/run/journal'
import { listUnfinishedRuns } from '@svc/runner/run/run-folder'
import { sql } from 'kysely'
import { killAll } from '@svc/tests/e2e/processes'
import { until } from '@svc/tests/e2e/until'
import { cpuOf } from '../cpu.ts'
import { median, percentile, say, table } from '../figures.ts'
import { startWaiting } from '../launch/wakes.ts'
import { type Ground, openGround } from './ground.ts'

export interface Amount {
  /** Launches that are measured, each on its own. */
  samples: number
  /** How many more runners there are than the one that works, in turn. */
  idle: readonly number[]
  /** Runs that are there when the daemon is killed. */
  runs: number
  /** How often the runner is killed with all that it runs. */
  deaths: number
  idleSeconds: number
}

const ms = (value: number) => value.toFixed(0)
const mb = (kilobytes: number) => (kilobytes / 1024).toFixed(1)

/** Launch to claim and to the agent's first act, and from a cancel until no process of the run is left. */
export async function measureLaunches({ samples, idle }: Amount): Promise<void> {
  await using ground = await openGround()
  const rows = [['idle runners', 'claimed p50', 'p95', 'started p50', 'p95', 'gone p50', 'p95']]
  for (const count of idle)
    rows.push([String(count), ...(await launchesBeside(ground, count, samples))])
  say(`launch to claim and to agent started; cancel to process tree gone: ms, ${samples} launches`)
  table(rows)
  say('aim: started p95 under 1000; idle runners are bare claimers that have another agent')
}

async function launchesBeside(ground: Ground, idle: number, samples: number): Promise<string[]> {
  const [place] = ground.stage.places
  if (!place) throw new Error('the stage has no project')
  await using _ = await startWaiting(ground.stage, place, { idle: idle - 1, able: 0 })
  const [claimed, started, gone]: number[][] = [[], [], []]
  for (let taken = 0; taken < samples; taken += 1) {
    const run = await ground.launch()
    claimed?.push(run.claimedMs)
    started?.push(run.startedMs)
    gone?.push(await cancel(ground, run.id))
  }
  return [claimed, started, gone].flatMap((values = []) => [
    ms(percentile(values, 0.5)),
    ms(percentile(values, 0.95)),
  ])
}

export async function cancel(ground: Ground, id: string): Promise<number> {
  const begun = performance.now()
  await ground.client.call('cancelExecutionRequest', { id })
  while (ground.processesOf(id).length > 0) await delay(10)
  const tookMs = performance.now() - begun
  await untilEnded(ground)
  return tookMs
}

async function untilEnded({ stage, home, daemon }: Ground): Promise<void> {
  const details = () => daemon().output()
  const areOver = async () => {
    const { rows } = await sql<{ live: number }>`
      select count(*)::int as live from execution_requests where ended_at is null`.execute(stage.db)
    return rows[0]?.live === 0 && listUnfinishedRuns(home).length === 0
  }
  await until('every run has ended', areOver, { details, seconds: 120 })
}

/** What a supervisor takes next to a bare Node, and how soon a daemon that was killed with them has told of every run. */
export async function measureRuns({ runs }: Amount): Promise<void> {
  await using ground = await openGround()
  for (let made = 0; made < runs; made += 1) await ground.launch()
  await delay(2_000)
  const supervisors = supervisorsOf(ground)
  const memory = supervisors.map(memoryOf)
  const bare = await bareNode()
  say(`memory of a run without its agent, MB: median of ${runs} supervisors`)
  const rss = median(memory.map((one) => one.rss))
  const pss = median(memory.map((one) => one.pss))
  table([
    ['', 'RSS', 'PSS'],
    ['supervisor', mb(rss), mb(pss)],
    ['node -e, bare', mb(bare.rss), mb(bare.pss)],
    ['beyond it', mb(rss - bare.rss), mb(pss - bare.pss)],
  ])
  say('aim: 25 or less beyond a bare Node\n')

  const before = listUnfinishedRuns(ground.home).map(({ folder }) => folder)
  await ground.daemon().killNow()
  killAll(supervisors)
  const begun = performance.now()
  ground.startDaemon()
  await untilOver(ground, before)
  const tookMs = performance.now() - begun
  say(
    `daemon and ${runs} supervisors killed, daemon started: every run accounted for after ${ms(tookMs)} ms`,
  )
  say('aim: under 5000')
}

/** Reported and cleaned up; what never attached runs again meanwhile, in a folder of its own. */
async function untilOver({ home, daemon }: Ground, folders: readonly string[]): Promise<void> {
  const areOver = () => listUnfinishedRuns(home).every(({ folder }) => !folders.includes(folder))
  await until('every run is accounted for', areOver, { details: () => daemon().output() })
}

export function supervisorsOf({ home }: Ground): number[] {
  return listUnfinishedRuns(home).flatMap(({ steps }) => findStep(steps, 'supervisor')?.pid ?? [])
}

function memoryOf(pid: number): { rss: number; pss: number } {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  const read = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1])
  return { rss: read('Rss'), pss: read('Pss') }
}

async function bareNode(): Promise<{ rss: number; pss: number }> {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'])
  await delay(2_000)
  const memory = memoryOf(child.pid ?? 0)
  child.kill('SIGKILL')
  return memory
}

/** What a runner costs that waits for work. */
export async function measureIdle({ idleSeconds, idle }: Amount): Promise<void> {
  const most = Math.max(...idle)
  await using ground = await openGround({ shared_preload_libraries: 'pg_stat_statements' })
  const { stage } = ground
  await sql`create extension pg_stat_statements`.execute(stage.db)
  const [place] = stage.places
  if (!place) throw new Error('the stage has no project')
  const alone = await spent(ground, idleSeconds)
  await using _ = await startWaiting(stage, place, { idle: most - 1, able: 0 })
  const crowded = await spent(ground, idleSeconds)
  say(`idle, each second, over ${idleSeconds} s`)
  table([
    ['idle runners', 'queries', 'API ms', 'PostgreSQL ms', 'daemon ms'],
    ['1', ...alone.map((value) => value.toFixed(1))],
    [String(most), ...crowded.map((value) => value.toFixed(1))],
    [
      'each beyond the first',
      ...crowded.map((value, at) => ((value - (alone[at] ?? 0)) / (most - 1)).toFixed(3)),
    ],
  ])
  say('idle runners beyond the first are bare claimers, whose own time is the bench’s')
}

async function spent({ stage, daemon }: Ground, seconds: number): Promise<number[]> {
  const read = async () => {
    const { rows } = await sql<{ calls: number }>`
      select coalesce(sum(calls), 0)::int8 as calls from pg_stat_statements
       where query not like '%pg\\_stat\\_statements%'`.execute(stage.db)
    const { application, postgres } = stage.cpu()
    return [rows[0]?.calls ?? 0, application, postgres, cpuOf(daemon().pid)].map(Number)
  }
  const before = await read()
  await delay(seconds * 1000)
  const after = await read()
  return after.map((value, at) => (value - (before[at] ?? 0)) / seconds)
}

import { type Database, openDatabase } from '@svc/db/database'
import { createPolicy } from '@svc/outbound/policy'
import { send } from '@svc/outbound/send'
import { sign } from '@svc/webhooks/sign'
import { Logger, run as runGraphile, runMigrations } from 'graphile-worker'
import { sql } from 'kysely'
import { PgBoss } from 'pg-boss'
import { Agent } from 'undici'
import type { BenchReceiver } from './webhooks-receiver.ts'

const secret = `whsec_${'x'.repeat(43)}`
const policy = createPolicy({ allowedHosts: '127.0.0.1' })

export interface PeerJob {
  id: string
  url: string
}

function signed({ id }: PeerJob, padding: string) {
  const body = JSON.stringify({ id, occurredAt: new Date().toISOString(), padding })
  const timestamp = Math.floor(Date.now() / 1000)
  const headers = {
    'content-type': 'application/json',
    'x-svc-signature': sign({ secret, timestamp, body }),
    'x-svc-delivery': id,
  }
  return { headers, body }
}

/** The same sender for all: sign, post, one answer. */
export async function post(job: PeerJob, padding: string): Promise<number> {
  const result = await send({ url: job.url, ...signed(job, padding), policy })
  return result.status ?? 0
}

const bareAgent = new Agent()

/** What any sender costs at least: no policy, no deadline, nothing kept of the answer. */
export async function postBare(job: PeerJob, padding: string): Promise<void> {
  const { origin, pathname: path } = new URL(job.url)
  const answer = await bareAgent.request({ origin, path, method: 'POST', ...signed(job, padding) })
  await answer.body.dump()
}

export async function preparePeers(url: string): Promise<void> {
  await onDatabase(url, async (db) => {
    await sql`create table bench_delivery (id uuid primary key, state text not null)`.execute(db)
    await sql`create table bench_attempt (
      delivery_id uuid primary key, status int, ended_at timestamptz)`.execute(db)
  })
  await runMigrations({ connectionString: url })
}

async function onDatabase(url: string, work: (db: Database) => Promise<void>): Promise<void> {
  await using db = openDatabase({ url, poolSize: 10, onError: () => undefined })
  await work(db)
}

/** What every queue's handler does: send, then write the attempt and the delivery. */
function handlerOn(db: Database, padding: string) {
  return async (job: PeerJob) => {
    const status = await post(job, padding)
    await sql`
      with a as (insert into bench_attempt values (${job.id}, ${status}, now()) on conflict do nothing)
      update bench_delivery set state = 'delivered' where id = ${job.id}`.execute(db)
  }
}

export interface PeerRun {
  url: string
  receiver: BenchReceiver
  jobs: readonly PeerJob[]
  padding: string
  /** Resolves when the receiver has what it waits for, or the time is up. */
  until: () => Promise<void>
}

async function insertDeliveries(db: Database, jobs: readonly PeerJob[]): Promise<void> {
  await sql`truncate bench_delivery, bench_attempt`.execute(db)
  await sql`
    insert into bench_delivery
    select id, 'pending' from unnest(${jobs.map((job) => job.id)}::uuid[]) as id`.execute(db)
}

/** As its documentation shows it: `work` with 64 of them, each polling twice a second. Answers seconds. */
export async function withPlainBoss({ url, jobs, padding, until }: PeerRun): Promise<number> {
  let seconds = 0
  await onDatabase(url, async (db) => {
    await insertDeliveries(db, jobs)
    const boss = new PgBoss({ connectionString: url, max: 10, supervise: false, schedule: false })
    boss.on('error', () => undefined)
    await boss.start()
    const queue = `bench-${jobs[0]?.id.slice(0, 8) ?? 'none'}`
    await boss.createQueue(queue, { partition: true })
    await boss.insert(
      queue,
      jobs.map((job) => ({ data: job })),
    )
    const handle = handlerOn(db, padding)
    const begun = performance.now()
    await boss.work<PeerJob>(
      queue,
      { localConcurrency: 64, batchSize: 1, pollingIntervalSeconds: 0.5 },
      async ([job]) => {
        if (job) await handle(job.data)
      },
    )
    await until()
    seconds = (performance.now() - begun) / 1000
    await boss.stop({ graceful: false, close: true })
  })
  return seconds
}

const silent = new Logger(() => () => undefined)

export async function withGraphile(
  { url, jobs, padding, until }: PeerRun,
  isBatched: boolean,
): Promise<number> {
  let seconds = 0
  await onDatabase(url, async (db) => {
    await insertDeliveries(db, jobs)
    const specs = jobs.map((job) => ({ identifier: 'deliver', payload: job }))
    await sql`
      select graphile_worker.add_jobs(array(
        select json_populate_record(null::graphile_worker.job_spec, j)
          from json_array_elements(${JSON.stringify(specs)}::json) j))`.execute(db)
    const handle = handlerOn(db, padding)
    const begun = performance.now()
    const runner = await runGraphile({
      connectionString: url,
      concurrency: 64,
      maxPoolSize: 10,
      noHandleSignals: true,
      pollInterval: 1_000,
      logger: silent,
      ...(isBatched && {
        preset: { worker: { localQueue: { size: 128 }, completeJobBatchDelay: 5 } },
      }),
      // the payload is what was added above
      taskList: { deliver: (payload) => handle(payload as PeerJob) },
    })
    await until()
    seconds = (performance.now() - begun) / 1000
    await runner.stop()
  })
  return seconds
}

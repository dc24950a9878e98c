import { type Hooked, test } from '../../testing/hooked-world.ts'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { jobId, queues } from '../../jobs/jobs.ts'
import { inTransaction } from '../../commit/transaction.ts'
import { attemptJob, fanOutDue } from './fan-out.ts'
import { claimAttempts } from './load.ts'
import { defaultTiming } from './retry-schedule.ts'
import { settle } from './settle.ts'

/** The rows of these jobs without what names one and no other, in order of id; times as seconds from now. */
async function jobRows({ domain }: Hooked, ids: readonly string[]) {
  const { rows } = await sql<{ row: object }>`
    select (to_jsonb(j) - array['id', 'created_on', 'started_on', 'heartbeat_on', 'start_after', 'keep_until', 'data'])
           || jsonb_build_object(
                'data', (select jsonb_object_agg(key, jsonb_typeof(value)) from jsonb_each(j.data)),
                'starts', round(extract(epoch from j.start_after - j.created_on)),
                'kept', round(extract(epoch from j.keep_until - j.start_after)),
                'started', j.started_on is not null, 'beats', j.heartbeat_on = j.started_on) as row
      from pgboss.job j where id = any(${ids}::uuid[]) order by id`.execute(domain.db)
  return rows.map((one) => one.row)
}

async function twoDue(hooked: Hooked): Promise<void> {
  await hooked.subscribe()
  await hooked.publish(2)
  while ((await fanOutDue(hooked.domain, defaultTiming)) > 0) continue
}

describe('what the job queue itself writes is what is written', () => {
  test('when a job is claimed, for the first time and again', async ({ hooked }) => {
    const { domain, world } = hooked
    await twoDue(hooked)
    for (let claims = 0; claims < 2; claims += 1) {
      const [theirs] = await domain.jobs.fetch(queues.webhookDelivery, { limit: 1 })
      const [ours] = await claimAttempts(domain, { limit: 1 })
      if (ours?.todo !== 'send' || !theirs) throw new Error('two were due')
      const [one, other] = await jobRows(hooked, [theirs.id, ours.attempt.job.id])
      expect(one).toEqual(other)
      expect(one).toMatchObject({ state: 'active', retry_count: claims, started: true })
      await world.advance(61)
      await domain.jobs.supervise()
    }
  })

  test('when the job of the next attempt is made', async ({ hooked }) => {
    const { domain } = hooked
    await twoDue(hooked)
    const claimed = await claimAttempts(domain, { limit: 10 })
    const [attempt] = claimed.flatMap((one) => (one.todo === 'send' ? [one.attempt] : []))
    if (!attempt) throw new Error('one was due')
    const result = {
      outcome: 'http_500',
      status: 500,
      timings: { total: 1 },
      headers: [],
      body: Buffer.of(),
      truncated: false,
    }
    await settle(domain, [{ did: 'send', attempt, result }], defaultTiming)
    const { workspaceId: workspace_id, deliveryId: id, subscriptionId: subscription_id } = attempt
    const theirs = jobId(id, 'theirs')
    await inTransaction({ domain }, (tx) =>
      domain.jobs.insert(
        tx,
        queues.webhookDelivery,
        attemptJob({ workspace_id, id, subscription_id }, theirs, defaultTiming, 30),
      ),
    )
    const [one, other] = await jobRows(hooked, [theirs, jobId(id, '2')])
    expect(one).toEqual(other)
    expect(one).toMatchObject({ state: 'created', starts: 30 })
  })
})

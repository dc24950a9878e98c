import { type Hooked, test } from '../../testing/hooked-world.ts'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { fanOutDue } from './fan-out.ts'
import { defaultTiming } from './retry-schedule.ts'

/** Those of these events that deliveries were made of, each as often as that. */
async function handedOn({ domain }: Hooked, ids: readonly string[]): Promise<unknown[]> {
  const made = domain.db.selectFrom('webhook_deliveries').select('event_id').orderBy('event_id')
  return (await made.where('event_id', 'in', ids).execute()).map(({ event_id: id }) => id)
}

async function jobsLeft({ domain }: Hooked): Promise<number> {
  const { rows } = await sql`select from pgboss.job where name = 'webhook.event'`.execute(domain.db)
  return rows.length
}

/** Begins a body of the event, which the fan-out waits for, and fails by where it is kept. */
async function beginBody({ domain, world }: Hooked, event_id: string) {
  const begun = await domain.db.startTransaction().execute()
  const body = {
    workspace_id: world.workspaceId,
    event_id,
    mode: 'thin',
    bytes: Buffer.of(),
  } as const
  await begun.insertInto('webhook_bodies').values(body).execute()
  return begun
}

describe('the fan-out', () => {
  test('of an event that fails keeps no other from it, and is tried again later', async ({
    hooked,
  }) => {
    const { alice, domain, publish, subscribe, world } = hooked
    const subscription = await subscribe()
    const [broken = '', whole = ''] = await publish(2)
    await (await beginBody(hooked, broken)).commit().execute()

    expect(await fanOutDue(domain, defaultTiming)).toBe(2)
    expect([await handedOn(hooked, [broken, whole]), await jobsLeft(hooked)]).toEqual([[whole], 1])
    expect(await fanOutDue(domain, defaultTiming)).toBe(0)

    await domain.db.deleteFrom('webhook_bodies').where('event_id', '=', broken).execute()
    await world.advance(61)
    expect(await fanOutDue(domain, defaultTiming)).toBe(1)
    expect([await handedOn(hooked, [broken, whole]), await jobsLeft(hooked)]).toEqual([
      [broken, whole],
      0,
    ])
    await alice.call('deleteWebhook', subscription)
  })

  test('of one process takes nothing that another is at work on', async ({ hooked }) => {
    const { domain, publish, subscribe } = hooked
    await subscribe()
    const [first = ''] = await publish(1)
    const begun = await beginBody(hooked, first)
    const other = fanOutDue(domain, defaultTiming)
    try {
      await untilOneWaits(hooked)
      const [second = ''] = await publish(1)
      expect(await fanOutDue(domain, defaultTiming)).toBe(1)
      expect(await handedOn(hooked, [first, second])).toEqual([second])
    } finally {
      await begun.rollback().execute()
    }
    expect(await other).toBe(1)
    expect([await handedOn(hooked, [first]), await jobsLeft(hooked)]).toEqual([[first], 0])
  })
})

async function untilOneWaits({ domain }: Hooked): Promise<void> {
  for (;;) {
    const { rows } = await sql`
      select from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`.execute(domain.db)
    if (rows.length > 0) return
  }
}

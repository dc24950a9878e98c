import { createTestDatabase } from '@svc/testing/database'
import { mishaps, openSpoilingProxy } from '@svc/testing/mishaps'
import { personWith } from '@svc/testing/people'
import { type World, openWorld } from '@svc/testing/world'
import { sql } from 'kysely'
import { test as base, expect } from 'vitest'

// oxlint-disable-next-line no-empty-pattern -- vitest reads here which other fixtures are needed: none
const test = base.extend('spoiled', { scope: 'file' }, async ({}, { onCleanup }) => {
  const opened = new AsyncDisposableStack()
  onCleanup(() => opened.disposeAsync())
  const { connectionString } = opened.use(await createTestDatabase())
  const world = opened.use(await openWorld(connectionString))
  const proxy = opened.use(await openSpoilingProxy(connectionString))
  const order = { databaseUrl: proxy.url, poolSize: 1, notify: false }
  // its only connection carries whatever the call before left behind
  const domain = opened.use(await world.openProcess(order))
  return { world, proxy, alice: personWith(domain, world.alice.token) }
})

test.for(mishaps)(
  'a launch of which any one statement is %s is whole or undone, says so, and the next one finds the way free',
  { timeout: 120_000 },
  async (mishap, { spoiled: { world, proxy, alice } }) => {
    const launched = async (statement: number) => {
      const { mission } = await world.missionWith(['a'])
      const launch = () => alice.launch(mission.objectives[0])
      let wasSpoiled = false
      const written = await world.rowsWrittenBy(async () => {
        const spoiling = proxy.spoil(statement, mishap)
        try {
          await launch()
        } finally {
          wasSpoiled = spoiling.stop()
          // the server may still be at work for a connection that is gone
          await expect.poll(() => countBusy(world)).toBe(0)
        }
      })
      await launch()
      expect(await world.alice.requestsOf(mission)).toHaveLength(1)
      return { ...written, wasSpoiled }
    }
    const whole = await launched(Infinity)
    expect(whole).toMatchObject({ refusal: undefined, wasSpoiled: false })
    let spoiled = 0
    for (let statement = 1; ; statement += 1) {
      const { rows, refusal, wasSpoiled } = await launched(statement)
      if (!wasSpoiled) break
      spoiled += 1
      const asked = refusal === undefined ? undefined : { code: 'unavailable' }
      expect({ refusal }).toMatchObject({ refusal: asked })
      // where the answer to its commit is lost, nobody knows
      const isDone = refusal === undefined || (mishap === 'unanswered' && rows.length > 0)
      expect({ statement, rows }).toEqual({ statement, rows: isDone ? whole.rows : [] })
    }
    expect(spoiled).toBeGreaterThan(3)
  },
)

async function countBusy({ domain }: World): Promise<number> {
  const { rows } = await sql<{ busy: number }>`
    select count(*)::int as busy from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`.execute(
    domain.db,
  )
  return rows[0]?.busy ?? 0
}

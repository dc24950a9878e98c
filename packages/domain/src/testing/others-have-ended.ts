import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Domain } from '../domain.ts'

/** Events are told of once no transaction is open that began before them; tests beside this one have theirs. */
export async function othersHaveEnded({ domain: { db } }: { domain: Domain }): Promise<void> {
  const read = async () => {
    const { rows } = await sql<{ oldest: string; next: string }>`
      select pg_snapshot_xmin(now)::text as oldest, pg_snapshot_xmax(now)::text as next
        from pg_current_snapshot() as now`.execute(db)
    const { oldest = '0', next = '0' } = rows[0] ?? {}
    return { oldest: BigInt(oldest), next: BigInt(next) }
  }
  const { next } = await read()
  await expect.poll(async () => (await read()).oldest >= next).toBe(true)
}

import type { Queryable } from '@svc/db/database'
import { newestMigration } from '@svc/db/migrate-schema'
import { sql } from 'kysely'
import type { Domain } from './domain.ts'
import type { KeyRing } from './common/key-ring.ts'

const canaryText = 'svc'

type Check = (domain: Domain) => Promise<boolean>

const checks: Record<string, Check> = {
  database: async ({ db }) => {
    await sql`select 1`.execute(db)
    return true
  },
  schema: async ({ db }) => {
    const { rows } = await sql<{ name: string }>`
      select name from kysely_migration order by name desc limit 1`.execute(db)
    return rows[0]?.name === (await newestMigration())
  },
  primary: async ({ db }) => {
    const { rows } = await sql<{ standby: boolean }>`select pg_is_in_recovery() as standby`.execute(
      db,
    )
    return rows[0]?.standby === false
  },
  durability: async ({ db }) => {
    const { rows } = await sql<{ safe: boolean }>`
      select current_setting('synchronous_commit') <> 'off'
             and ((current_setting('fsync') = 'on' and current_setting('full_page_writes') = 'on')
                  or to_regclass('app.clock') is not null) as safe`.execute(db)
    return rows[0]?.safe === true
  },
  keys: ({ db, keys }) => opensCanary(db, keys),
}

const probeMs = 500

/** The names of the checks that fail now; a database that does not answer in time fails them all. */
export async function checkReady(domain: Domain, timeLimitMs = probeMs): Promise<string[]> {
  const results = Object.entries(checks).map(async ([name, check]) => {
    const passed = await Promise.race([
      check(domain).catch(() => false),
      new Promise<false>((resolve) => {
        // it keeps no command from ending
        setTimeout(resolve, timeLimitMs, false).unref()
      }),
    ])
    return passed ? [] : [name]
  })
  return (await Promise.all(results)).flat()
}

/** These keys are those of this database. */
export async function opensCanary(db: Queryable, keys: KeyRing): Promise<boolean> {
  const row = await db.selectFrom('key_canary').select('sealed').executeTakeFirst()
  return row !== undefined && opens(keys, row.sealed)
}

function opens(keys: KeyRing, sealed: Buffer): boolean {
  try {
    return keys.open('canary', 'key_canary', sealed).toString() === canaryText
  } catch {
    return false
  }
}

/** Written once by `svc-admin migrate`; a key ring that cannot open it is not this database's. */
export function sealCanary(keys: KeyRing): Buffer {
  return keys.seal('canary', 'key_canary', canaryText)
}

import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { newId } from '../common/ids.ts'
import { purgeExpired } from '../sweep/purge-expired.ts'
import { type World, test } from '../testing/world.ts'

/** So many entries that are so many days old. */
async function addOld({ workspaceId, domain }: World, days: number, count = 1): Promise<void> {
  await sql`
    insert into audit_trail (workspace_id, id, created_at, action, target_id, details)
    select ${workspaceId}, gen_random_uuid(), app.now() - make_interval(days => ${days}), 'token.minted',
           ${newId()}, '{}' from generate_series(1, ${count})`.execute(domain.db)
}

async function countOld({ domain }: World, days: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from audit_trail
     where created_at < app.now() - make_interval(days => ${days})`.execute(domain.db)
  return rows[0]?.count ?? 0
}

const pruned = async ({ alice }: World) =>
  (await alice.call('listAudit', { action: 'audit.pruned' })).entries

async function purgeAll({ domain }: World): Promise<void> {
  while ((await purgeExpired(domain, 'each hour')) > 0);
}

describe('pruning the audit trail', () => {
  test('says how much went, and up to when, in batches', async ({ world }) => {
    await addOld(world, 500, 1_500)
    await addOld(world, 402)
    await purgeAll(world)
    expect(await countOld(world, 401)).toBe(0)
    const entries = await pruned(world)
    expect(entries.map(({ details }) => details['removed'])).toEqual([501, 1_000])
    expect(entries).toMatchObject(
      entries.map(() => ({
        actor: null,
        by: null,
        targetId: world.workspaceId,
        details: { keptDays: 400 },
      })),
    )
  })

  test('that finds nothing leaves nothing; the feed tells of the others', async ({ world }) => {
    await addOld(world, 450)
    await purgeAll(world)
    const { length } = await pruned(world)
    await purgeAll(world)
    expect(await pruned(world)).toHaveLength(length)
    const { rows } = await sql`
      select from entity_changes where entity = 'audit_entry' and operation = 'audit.pruned'`.execute(
      world.domain.db,
    )
    expect(rows).toHaveLength(length)
  })

  test('goes by what the operator has set, in each workspace', async ({ world }) => {
    const { domain } = world
    await addOld(world, 60)
    await purgeAll(world)
    expect(await countOld(world, 59)).toBe(1)
    await purgeAll({ ...world, domain: { ...domain, auditDays: 50 } })
    expect(await countOld(world, 59)).toBe(0)
  })

  test('is done once by any number of processes', async ({ world }) => {
    const before = (await pruned(world)).length
    await addOld(world, 500, 10)
    await Promise.all([purgeAll(world), purgeAll(world), purgeAll(world)])
    const entries = await pruned(world)
    const removed = entries
      .slice(0, entries.length - before)
      .map(({ details }) => Number(details['removed']))
    expect(removed.reduce((sum, one) => sum + one, 0)).toBe(10)
  })

  test('takes nothing that is younger than 30 days, whatever is asked', async ({ world }) => {
    const prune = (details: object) =>
      sql`insert into audit_trail (workspace_id, id, action, target_id, details)
          values (${world.workspaceId}, ${newId()}, 'audit.pruned', ${newId()}, ${JSON.stringify(details)})`.execute(
        world.domain.db,
      )
    for (const details of [{ keptDays: 29 }, { keptDays: -1 }, {}])
      await expect(prune(details)).rejects.toThrow('stay for 30 days at least')
    // nor by a trigger of somebody else's
    const { db } = world.domain
    await sql`create table doors (at int)`.execute(db)
    await sql`
      create function open_door() returns trigger language plpgsql as
        $$ begin delete from audit_trail; return null; end $$`.execute(db)
    await sql`
      create trigger open_door after insert on doors for each row execute function open_door()`.execute(
      db,
    )
    await expect(sql`insert into doors values (1)`.execute(db)).rejects.toThrow('only ever added')
  })

  test.for([
    'delete from audit_trail',
    `delete from audit_trail where created_at < now() - interval '10 years'`,
    `update audit_trail set details = '{}' where created_at < now() - interval '10 years'`,
    'truncate audit_trail',
  ])('is the one way: the owner of the table is refused %s', async (statement, { world }) => {
    await addOld(world, 5_000)
    const { db } = world.domain
    const owner = `owner_${newId().replaceAll('-', '')}`
    await sql.raw(`create role ${owner}`).execute(db)
    const tx = await db.startTransaction().execute()
    await using _undone = {
      async [Symbol.asyncDispose]() {
        await tx.rollback().execute()
        await sql.raw(`drop role ${owner}`).execute(db)
      },
    }
    await sql.raw(`alter table audit_trail owner to ${owner}`).execute(tx)
    await sql.raw(`grant usage on schema app, public to ${owner}`).execute(tx)
    await sql.raw(`set local role ${owner}`).execute(tx)
    await expect(sql.raw(statement).execute(tx)).rejects.toThrow('only ever added')
  })
})

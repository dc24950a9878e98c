import { type RawBuilder, sql } from 'kysely'
import { type Pruned, pruningAudit, recordPruning } from '../audit/prune.ts'
import { oldestId } from '../common/ids.ts'
import { inTransaction } from '../commit/transaction.ts'
import type { Domain } from '../domain.ts'
import { type AuditRow, type Pass, type Period, type Retained, retention } from './retention.ts'

/** How many rows of one kind a statement purges, in one workspace where they are found by its ids. */
const batch = 2_000

/**
 * Takes away what was kept long enough, by the rows of this pass in the table of retention. Answers how many went: while
 * there are any, there may be more. Any number of processes may do this; what cannot go keeps nothing else from it.
 */
export async function purgeExpired(domain: Domain, pass: Pass): Promise<number> {
  const failures: Error[] = []
  let purged = 0
  for (const row of retention.filter((one) => one.pass === pass)) {
    try {
      for (const statement of await statementsFor(domain, row)) {
        purged += await inTransaction({ domain }, async (tx) => {
          const [gone] = (await statement.execute(tx)).rows
          if (gone && 'id' in gone) recordPruning(tx, gone)
          return gone?.purged ?? 0
        })
      }
    } catch (error) {
      failures.push(new Error(`what is too old stays: ${row.what}`, { cause: error }))
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'not all that is too old could go')
  return purged
}

type Purging = RawBuilder<{ purged: number } | Pruned>

/** One, or one a workspace. */
export async function statementsFor(domain: Domain, row: Retained): Promise<Purging[]> {
  if ('since' in row && !('setting' in row)) return [purging(row, isPast(row.since, row.kept))]
  const { rows } = await sql<{ id: string; now: Date }>`
    select id, app.now() as now from workspaces`.execute(domain.db)
  return rows.map(({ id, now }) => {
    if ('setting' in row) return pruningAudit(id, domain.auditDays)
    return purging(row, isBelow(row.idOf, id, oldestId(now, row.kept.days)))
  })
}

function isPast(column: string, kept: Period | undefined): RawBuilder<boolean> {
  const [[unit, length] = ['mins', 0]] = Object.entries(kept ?? {})
  return sql`${sql.ref(column)} < app.now() - make_interval(${sql.raw(unit)} => ${sql.lit(length)})`
}

function isBelow(column: string, workspaceId: string, id: string): RawBuilder<boolean> {
  return sql`workspace_id = ${workspaceId} and ${sql.ref(column)} < ${id}`
}

/**
 * In the order of the index, and then by ctid, which stays what it is while the row is locked. What somebody
 * else holds is looked at again later: it may be renewed.
 */
function purging(row: Exclude<Retained, AuditRow>, isOld: RawBuilder<boolean>): Purging {
  const table = sql.table(row.table)
  const order = sql.ref('since' in row ? row.since : row.idOf)
  const ctids = sql`
    select ctid from ${table} t where ${isOld} and ${row.only ?? sql`true`}
       ${row.unless ? sql`and not ${row.unless}` : sql``}
     order by ${order} limit ${batch} for update of t skip locked`
  const going = row.clears
    ? sql`update ${table} set ${sql.ref(row.clears)} = null`
    : sql`delete from ${table}`
  const also = 'alsoWrites' in row ? row.alsoWrites : undefined
  return sql`
    with gone as (
      ${going} where ctid = any(array(${ctids})) returning ${sql.ref(also?.column ?? 'ctid')}
    )${also ? sql`, written as (${also.write})` : sql``}
    select count(*)::int as purged from gone`
}

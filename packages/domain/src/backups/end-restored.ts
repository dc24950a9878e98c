import type { Tx } from '@svc/db/database'
import { type RawBuilder, sql } from 'kysely'
import { recordAuditOfServer } from '../audit/record.ts'
import { inTransaction } from '../commit/transaction.ts'
import type { Domain } from '../domain.ts'
import { beginFeedAnew } from '../feed/begin-anew.ts'
import { where } from '../states/states.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'

/** How many of each a restored database holds that may have ended between the backup and the loss. */
export interface Restored {
  /** Sign-ins of browsers. */
  sessions: number
  tokens: number
  /** Authorization requests, with the codes and grants that nobody has fetched. */
  codes: number
  /** Links to set up the first owner, to accept an invitation, or to set a new password. */
  links: number
  /** Logins under way: of command lines, and of people who are at a provider. */
  logins: number
  leases: number
}

export interface Order {
  /** Tokens stay good, but for those of a single run. */
  keepTokens: boolean
  /** Counts alone; nothing is changed. */
  isDry: boolean
}

/** Further than any run came between the backup and the loss. */
const generationsAhead = 1_000

/** More events than any service had between the backup and the loss. */
const eventsAhead = 1_000_000_000

/** Ends whatever access and work came back with a restored backup. Nobody else works on the database meanwhile. */
export function endRestored(domain: Domain, { keepTokens, isDry }: Order): Promise<Restored> {
  const ending = inTransaction({ domain }, async (tx) => {
    const restored = await endAll(tx, keepTokens)
    if (isDry) throw new RolledBack(restored)
    await numberEventsAnew(tx)
    return restored
  })
  return ending.catch((error: unknown) => {
    if (error instanceof RolledBack) return error.restored
    throw error
  })
}

/** Undoes what was only done to be counted. */
class RolledBack extends Error {
  readonly restored: Restored
  constructor(restored: Restored) {
    super('counted')
    this.restored = restored
  }
}

async function endAll(tx: UnitOfWork, keepTokens: boolean): Promise<Restored> {
  const endSignIns = sql`
    update sign_ins set ended_at = app.now() where ended_at is null and expires_at > app.now()`
  const restored = {
    sessions: await change(tx, endSignIns),
    tokens: await revokeTokens(tx, keepTokens),
    codes: await deleteAll(tx, 'oauth_requests'),
    links:
      (await deleteAll(tx, 'setup_link')) +
      (await deleteAll(tx, 'invitations')) +
      (await deleteAll(tx, 'reset_links')),
    logins: (await deleteAll(tx, 'login_requests')) + (await deleteAll(tx, 'openid_requests')),
    leases: await supersedeLeases(tx),
  }
  await beginFeedAnew(tx)
  // approved, and of no use without the code
  await change(tx, sql`delete from user_tokens where token_hmac is null`)
  return restored
}

/** The audit trail of each workspace says how many were its own, be it none, and goes on from here. */
async function revokeTokens(tx: UnitOfWork, keepTokens: boolean): Promise<number> {
  const which = keepTokens ? sql`objective_id is not null` : sql`true`
  const { rows } = await sql<{ id: string; tokens: number }>`
    with revoked as (
      update user_tokens set revoked_at = app.now(), revoked_reason = 'restored'
       where revoked_at is null and expires_at > app.now() and token_hmac is not null and ${which}
      returning workspace_id, id),
    settled as (
      update notifications n set read_at = app.now()
        from revoked r
       where n.workspace_id = r.workspace_id and n.subject_id = r.id
         and n.kind = 'token_ends' and n.read_at is null)
    select w.id, count(r.workspace_id)::integer as tokens
      from workspaces w left join revoked r on r.workspace_id = w.id group by w.id`.execute(tx)
  for (const { id, tokens } of rows) {
    const facts = { action: 'backup.restored', targetId: id, details: { tokens } } as const
    recordAuditOfServer(tx, id, facts)
  }
  return rows.reduce((sum, { tokens }) => sum + tokens, 0)
}

/**
 * Whoever had a run, then or since, can report nothing of it. The session goes with it: its end comes when the lease
 * lapses, as with any runner that falls silent.
 */
async function supersedeLeases(tx: Tx): Promise<number> {
  await sql`
    update agent_sessions s set generation = s.generation + ${generationsAhead}::integer
      from execution_requests r
     where r.workspace_id = s.workspace_id and r.id = s.execution_request_id
       and r.generation = s.generation and (${where.live('r')} or ${where.held('r')})`.execute(tx)
  return change(
    tx,
    sql`update execution_requests r
           set generation = generation + ${generationsAhead}::integer, claim_id = null
         where ${where.live('r')} or ${where.held('r')}`,
  )
}

/** Consumers know by the number of an event what is newer, and have seen numbers that were lost. No rollback undoes it. */
async function numberEventsAnew(tx: Tx): Promise<void> {
  await sql`select setval('event_order', last_value + ${eventsAhead}::bigint) from event_order`.execute(
    tx,
  )
}

function deleteAll(tx: Tx, table: string): Promise<number> {
  return change(tx, sql`delete from ${sql.table(table)}`)
}

async function change(tx: Tx, statement: RawBuilder<unknown>): Promise<number> {
  const { numAffectedRows } = await statement.execute(tx)
  return Number(numAffectedRows ?? 0)
}

import type { HeldAccess, MemberAccess } from '@svc/contracts/held-access'
import type { Queryable, Tx } from '@svc/db/database'
import { sql } from 'kysely'
import { recordAuditOfPersonIn } from '../../audit/record.ts'
import { inTransaction } from '../../commit/transaction.ts'
import { channels } from '../../jobs/wake-hub.ts'
import { where } from '../../states/states.ts'
import { everyMembership } from '../../entities/workspaces/queries.ts'
import { connectedSeconds } from '../../entities/projects/resources.ts'
import type { UseCase } from '../../use-case.ts'
import type { Person } from '../../entities/people/person.ts'
import { signInsInForce } from '../sign-ins.ts'
import { type UnitOfWork, wakeAfterCommit } from '../../commit/unit-of-work.ts'
import { settleNotices } from '../../notifications/settle.ts'

const mostShown = 20

/** Whose it is: somebody's anywhere, or in one workspace alone. */
interface Whose {
  userId: string
  workspaceId?: string
}

/** By what somebody is let in and others act for them, and which runs stand on it. */
export async function listHeldAccess(db: Queryable, userId: string): Promise<HeldAccess> {
  const [sessions, identities, held] = await Promise.all([
    sessionsOf(db, userId),
    identitiesOf(db, userId),
    heldIn(db, { userId }),
  ])
  return {
    sessions: newest(
      sessions.map(({ browser, network, last_used_at: at }) => ({
        browser,
        from: network,
        lastUsedAt: at.toISOString(),
      })),
    ),
    identities: newest(identities),
    ...held,
  }
}

/** What ends with a membership. */
export async function listMemberAccess(
  db: Queryable,
  whose: Required<Whose>,
): Promise<MemberAccess> {
  const [held, invitations] = await Promise.all([heldIn(db, whose), invitationsBy(db, whose)])
  return { ...held, invitations: newest(invitations) }
}

async function heldIn(
  db: Queryable,
  whose: Whose,
): Promise<Pick<HeldAccess, 'tokens' | 'applications' | 'runners' | 'runs'>> {
  const [tokens, applications, runners, runs] = await Promise.all([
    tokensOf(db, whose, 'minted'),
    tokensOf(db, whose, 'oauth'),
    runnersOf(db, whose),
    runsOf(db, whose),
  ])
  return {
    tokens: newest(tokens),
    applications: newest(applications),
    runners: newest(runners),
    runs: newest(
      runs.map(({ workspace, slug, sequence, key, runner }) => ({
        workspace,
        objective: `${slug}:${sequence}.${key}`,
        runner,
      })),
    ),
  }
}

/** Over every membership m. */
function whereOf({ userId, workspaceId }: Whose) {
  return workspaceId === undefined
    ? sql<boolean>`m.user_id = ${userId}`
    : sql<boolean>`m.user_id = ${userId} and m.workspace_id = ${workspaceId}`
}

function newest<T>(found: T[]): { newest: T[]; more: boolean } {
  return { newest: found.slice(0, mostShown), more: found.length > mostShown }
}

function sessionsOf(db: Queryable, userId: string) {
  return signInsInForce(db)
    .select(['s.browser', 's.network', 's.last_used_at'])
    .where('s.user_id', '=', userId)
    .orderBy('s.id', 'desc')
    .limit(mostShown + 1)
    .execute()
}

/** But for those of a single run, which end with the token that minted them. */
function tokensOf(db: Queryable, whose: Whose, kind: 'minted' | 'oauth') {
  return db
    .selectFrom(everyMembership.as('m'))
    .innerJoin('workspaces as w', 'w.id', 'm.workspace_id')
    .innerJoin('user_tokens as t', (join) =>
      join.onRef('t.workspace_id', '=', 'm.workspace_id').onRef('t.user_id', '=', 'm.user_id'),
    )
    .select(['w.slug as workspace', 't.label', 't.prefix'])
    .where(whereOf(whose))
    .where('t.kind', '=', kind)
    .where('t.revoked_at', 'is', null)
    .where('t.objective_id', 'is', null)
    .where('t.token_hmac', 'is not', null)
    .where('t.expires_at', '>', sql<Date>`app.now()`)
    .orderBy('t.id', 'desc')
    .limit(mostShown + 1)
    .execute()
}

function identitiesOf(db: Queryable, userId: string) {
  return db
    .selectFrom('user_identities')
    .select(['issuer', 'subject'])
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .limit(mostShown + 1)
    .execute()
}

function runnersOf(db: Queryable, whose: Whose) {
  return db
    .selectFrom(everyMembership.as('m'))
    .innerJoin('workspaces as w', 'w.id', 'm.workspace_id')
    .innerJoin('runners as n', (join) =>
      join.onRef('n.workspace_id', '=', 'm.workspace_id').onRef('n.user_id', '=', 'm.user_id'),
    )
    .select(['w.slug as workspace', 'n.label'])
    .where(whereOf(whose))
    .where('n.removed_at', 'is', null)
    .where(sql<boolean>`n.last_heard_at > app.now() - make_interval(secs => ${connectedSeconds})`)
    .orderBy('n.id', 'desc')
    .limit(mostShown + 1)
    .execute()
}

async function runsOf(db: Queryable, whose: Whose) {
  const { rows } = await sql<{
    workspace: string
    slug: string
    sequence: number
    key: string
    runner: string
  }>`
    with held as materialized (
      select r.workspace_id, r.project_id, r.mission_id, r.objective_id, r.id, n.label
        from ${everyMembership} m
        join execution_requests r on r.workspace_id = m.workspace_id and ${where.held('r')}
        join runners n on n.workspace_id = r.workspace_id and n.id = r.runner_id
                      and n.user_id = m.user_id
       where ${whereOf(whose)}
       order by r.id desc limit ${mostShown + 1})
    select (select slug from workspaces w where w.id = h.workspace_id) as workspace,
           (select slug from projects p
             where p.workspace_id = h.workspace_id and p.id = h.project_id) as slug,
           (select sequence from missions i
             where i.workspace_id = h.workspace_id and i.id = h.mission_id) as sequence,
           (select key from objectives o
             where o.workspace_id = h.workspace_id and o.id = h.objective_id) as key,
           h.label as runner
      from held h order by h.id desc`.execute(db)
  return rows
}

function invitationsBy(db: Queryable, { userId, workspaceId }: Required<Whose>) {
  return db
    .selectFrom('invitations')
    .select(['email', 'role'])
    .where('workspace_id', '=', workspaceId)
    .where('invited_by', '=', userId)
    .where('expires_at', '>', sql<Date>`app.now()`)
    .orderBy('id', 'desc')
    .limit(mostShown + 1)
    .execute()
}

/** Revokes all tokens of a person; their browser sessions stay. */
export function endOwnTokens(context: UseCase, { userId }: Person): Promise<void> {
  return inTransaction(context, (tx) => endTokensOf(tx, context, userId))
}

/**
 * Every token of somebody and of the applications that act for them, wherever they belong: a deleted workspace may be restored. Minting shares a lock on
 * what mints: what it began before is committed by the time that is revoked, and the next pass sees it.
 */
export async function endTokensOf(tx: UnitOfWork, context: UseCase, userId: string): Promise<void> {
  // its command line would be given a token with its next poll
  await sql`
    update login_requests set state = 'denied'
     where user_id = ${userId} and state = 'approved'`.execute(tx)
  const revoked = await revokePassByPass(tx, userId)
  if (revoked.length === 0) return
  wakeAfterCommit(tx, channels.access, userId)
  for (const [workspaceId, ended] of Map.groupBy(revoked, (one) => one.workspace_id)) {
    const tokens = ended.map(({ id }) => id)
    settleNotices(tx, ['token_ends'], workspaceId, tokens)
    const details = { tokens }
    const facts = { action: 'access.ended', targetId: userId, details } as const
    recordAuditOfPersonIn(tx, context, { workspaceId, userId }, facts)
  }
}

async function revokePassByPass(tx: Tx, userId: string) {
  const revoked: { workspace_id: string; id: string }[] = []
  for (;;) {
    const { rows } = await sql<{ workspace_id: string; id: string }>`
      update user_tokens t set revoked_at = app.now(), revoked_reason = 'account'
        from ${everyMembership} m
       where m.user_id = ${userId} and t.workspace_id = m.workspace_id
         and t.user_id = m.user_id and t.revoked_at is null
      returning t.workspace_id, t.id`.execute(tx)
    if (rows.length === 0) return revoked
    revoked.push(...rows)
  }
}

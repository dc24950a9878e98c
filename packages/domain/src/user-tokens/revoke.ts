import { ServiceError } from '@svc/contracts/errors'
import type { Permission } from '@svc/contracts/permissions'
import type { RouteInput } from '@svc/contracts/rest'
import type { Tx } from '@svc/db/database'
import type { UserTokenRow } from '@svc/db/tables'
import { type RawBuilder, sql } from 'kysely'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { recordAudit } from '../audit/record.ts'
import { inTransaction } from '../commit/transaction.ts'
import { channels } from '../jobs/wake-hub.ts'
import { notFound } from '../common/errors.ts'
import type { UseCase } from '../use-case.ts'
import { type UnitOfWork, wakeAfterCommit } from '../commit/unit-of-work.ts'
import { settleNotices } from '../notifications/settle.ts'

export function revokeUserToken(
  context: UseCase,
  actor: Actor,
  { id }: RouteInput<'revokeUserToken'>,
): Promise<undefined> {
  const { userId } = actor
  return revoke(context, actor, { id, userId, permission: 'own_token:revoke', kind: 'token' })
}

/** Whatever a token may, it may end itself. */
export async function revokeCurrentUserToken(context: UseCase, actor: Actor): Promise<undefined> {
  const { userId, credential } = actor
  if (credential.kind === 'run') throw endsWithItsRun()
  if (credential.kind !== 'token') throw noToken()
  return revoke(context, actor, { id: credential.id, userId, permission: null, kind: 'token' })
}

function noToken(): ServiceError {
  return new ServiceError(
    'validation_failed',
    'No token came with this call, but the cookie of a browser: end its session in place of it.',
  )
}

function endsWithItsRun(): ServiceError {
  return new ServiceError(
    'validation_failed',
    'The token of a run ends with that run, and cannot be ended before it: cancel the run in place of it.',
  )
}

export function endConnectedApplication(
  context: UseCase,
  actor: Actor,
  { id }: RouteInput<'endConnectedApplication'>,
): Promise<undefined> {
  const kind = 'connected application'
  return revoke(context, actor, { id, userId: actor.userId, permission: 'own_token:revoke', kind })
}

export function revokeWorkspaceToken(
  context: UseCase,
  actor: Actor,
  { id }: RouteInput<'revokeWorkspaceToken'>,
): Promise<undefined> {
  return revoke(context, actor, { id, permission: 'token:revoke', kind: 'token of anybody' })
}

interface Which {
  id: string
  /** Null: whoever calls may. */
  permission: Permission | null
  kind: 'token' | 'token of anybody' | 'connected application'
  /** Whose it must be. */
  userId?: string
}

/** Dead for every request that starts after this commits, and with it all that it minted, down to the last. */
function revoke(context: UseCase, actor: Actor, which: Which): Promise<undefined> {
  if (which.permission !== null) authorize(actor, which.permission)
  return inTransaction(context, async (tx) => {
    const { id } = which
    const revoked = await revokeOne(tx, actor, which)
    const token = revoked ?? (await findOne(tx, actor, which))
    if (!token) throw notFound(which.kind, id)
    const minted = await revokeBelow(tx, actor.workspaceId, id)
    if (revoked || minted.length > 0) {
      const { user_id: userId, label, prefix } = token
      const details = { label, prefix, minted, ...(userId !== actor.userId && { userId }) }
      recordAudit(tx, context, actor, { action: 'token.revoked', targetId: id, details })
      wakeAfterCommit(tx, channels.access, userId)
    }
    return undefined
  })
}

type Revoked = Pick<UserTokenRow, 'user_id' | 'label' | 'prefix'>

async function revokeOne(tx: UnitOfWork, actor: Actor, which: Which): Promise<Revoked | undefined> {
  const revoked = await tx
    .updateTable('user_tokens')
    .set({
      revoked_at: sql<Date>`app.now()`,
      revoked_reason: which.userId === undefined ? 'admin' : 'owner',
    })
    .where(isIt(actor, which))
    .where('revoked_at', 'is', null)
    .returning(['user_id', 'label', 'prefix'])
    .executeTakeFirst()
  if (revoked) settleNotices(tx, ['token_ends'], actor.workspaceId, [which.id])
  return revoked
}

function findOne(tx: Tx, actor: Actor, which: Which): Promise<Revoked | undefined> {
  return tx
    .selectFrom('user_tokens')
    .select(['user_id', 'label', 'prefix'])
    .where(isIt(actor, which))
    .executeTakeFirst()
}

function isIt({ workspaceId }: Actor, { id, userId, kind }: Which): RawBuilder<boolean> {
  return sql`workspace_id = ${workspaceId} and id = ${id}
    and ${userId === undefined ? sql`true` : sql`user_id = ${userId}`}
    and ${kind === 'connected application' ? sql`kind = 'oauth'` : sql`true`}`
}

/**
 * Minting shares a lock on the token that mints, so what a revoked token had begun to mint is committed by the time
 * that token is revoked here, and the next pass sees it. A revoked token mints nothing: the passes end. Answers whom
 * it revoked.
 */
async function revokeBelow(tx: UnitOfWork, workspaceId: string, id: string): Promise<string[]> {
  const revoked: string[] = []
  for (;;) {
    const { rows } = await sql<{ id: string }>`
      with recursive below(id) as (
        select id from user_tokens where workspace_id = ${workspaceId} and parent_id = ${id}
        union
        -- each by the index of its parent: joined as a whole, all that were ever minted would be read
        select t.id from below b cross join lateral (
          select id from user_tokens where workspace_id = ${workspaceId} and parent_id = b.id
          offset 0) t)
      update user_tokens set revoked_at = app.now(), revoked_reason = 'parent'
       where workspace_id = ${workspaceId} and id = any(array(select id from below))
         and revoked_at is null
      returning id`.execute(tx)
    if (rows.length === 0) return revoked
    const ids = rows.map((row) => row.id)
    settleNotices(tx, ['token_ends'], workspaceId, ids)
    revoked.push(...ids)
  }
}

/** All that somebody holds in a workspace, once nothing more is minted there for them. Answers which. */
export async function revokeTokensOf(
  tx: UnitOfWork,
  workspaceId: string,
  userId: string,
): Promise<string[]> {
  const revoked = await tx
    .updateTable('user_tokens')
    .set({ revoked_at: sql<Date>`app.now()`, revoked_reason: 'membership' })
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .returning('id')
    .execute()
  const ids = revoked.map(({ id }) => id)
  if (ids.length > 0) settleNotices(tx, ['token_ends'], workspaceId, ids)
  return ids
}

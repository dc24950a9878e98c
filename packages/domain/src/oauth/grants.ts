import { presetPermissions } from '@svc/contracts/permissions'
import type { Queryable, Tx } from '@svc/db/database'
import type { OauthRequestRow, UserTokenRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { newTokenSecret } from '../access/token-secret.ts'
import { newId } from '../common/ids.ts'
import type { KeyRing } from '../common/key-ring.ts'
import { putPermissions } from '../user-tokens/create.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'
import { settleRenewed } from '../user-tokens/notify-of-end.ts'
import { settleNotices } from '../notifications/settle.ts'

/** The one scope that an application can be given: at once its name and that of the preset. */
export const oauthScope = 'mission_lifecycle'
/** A token ends this long after its exchange, however much it is used; sooner where the workspace says so. */
const grantDays = 90
/** A code that is not fetched within this time is worth nothing, and so is what was approved. */
export const codeMinutes = 2

export interface NewGrant {
  workspaceId: string
  userId: string
  clientId: string
  clientName: string
}

/** A token without a secret: nobody has it yet, so nobody can use it. */
export async function putPendingGrant(tx: Tx, order: NewGrant): Promise<UserTokenRow> {
  const row = await tx
    .insertInto('user_tokens')
    .values({
      workspace_id: order.workspaceId,
      id: newId(),
      user_id: order.userId,
      kind: 'oauth',
      preset: oauthScope,
      scope_kind: 'scoped',
      audiences: ['mcp'],
      prefix: 'svcoa_',
      label: order.clientName,
      client_id: order.clientId,
      expires_at: sql<Date>`app.now() + make_interval(mins => ${codeMinutes})`,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await putPermissions(tx, row, presetPermissions[oauthScope])
  return row
}

/** Whether this person has let the client in anywhere, and has not taken that back. */
export async function hasLetIn(db: Queryable, userId: string, clientId: string): Promise<boolean> {
  const { rows } = await sql`
    select from memberships m
      join user_tokens t on t.workspace_id = m.workspace_id and t.user_id = m.user_id
     where m.user_id = ${userId} and t.kind = 'oauth' and t.client_id = ${clientId}
       and t.token_hmac is not null and t.revoked_at is null
     limit 1`.execute(db)
  return rows.length > 0
}

/** So written that no index of those without one seems to fit, which would be read for the sake of one token. */
const isWithoutSecret = sql<boolean>`(token_hmac is null) is not false`

/** What was approved there and nobody has fetched. */
export async function discardGrantOf(
  tx: Tx,
  request: Pick<OauthRequestRow, 'approved_in' | 'grant_id'>,
): Promise<void> {
  if (request.approved_in === null || request.grant_id === null) return
  await tx
    .deleteFrom('user_tokens')
    .where('workspace_id', '=', request.approved_in)
    .where('id', '=', request.grant_id)
    .where(isWithoutSecret)
    .execute()
}

interface GrantRef {
  workspaceId: string
  id: string
}

/**
 * Gives the token a secret, which is returned here and nowhere else, and an end. Undefined where the grant was revoked
 * before.
 */
export async function activateGrant(
  tx: Tx,
  keys: KeyRing,
  { workspaceId, id }: GrantRef,
): Promise<{ token: string; seconds: number } | undefined> {
  const token = newTokenSecret('oauth')
  const { kid, mac } = keys.mac('tokens', token)
  const row = await tx
    .updateTable('user_tokens')
    .set({
      token_hmac: mac,
      hmac_kid: kid,
      prefix: token.slice(0, 14),
      expires_at: sql<Date>`app.now() + make_interval(days => least(${grantDays}::int,
        (select max_token_days from workspaces where id = ${workspaceId})))`,
    })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where(isWithoutSecret)
    .where('revoked_at', 'is', null)
    .where(isOfMember)
    .returning(['workspace_id', 'user_id', 'client_id', 'expires_at'])
    .returning(sql<number>`extract(epoch from expires_at - app.now())::int`.as('seconds'))
    .executeTakeFirst()
  if (!row) return undefined
  await settleRenewed(tx, row)
  return { token, seconds: row.seconds }
}

/** Whoever left in between gives nobody anything any more. */
const isOfMember = sql<boolean>`exists (
  select from memberships m
   where m.workspace_id = user_tokens.workspace_id and m.user_id = user_tokens.user_id)`

/** Undefined where there was none in force; of the client alone where one is named. */
export async function revokeGrant(
  tx: UnitOfWork,
  { workspaceId, id, clientId }: GrantRef & { clientId?: string },
  reason: string,
): Promise<UserTokenRow | undefined> {
  const revoking = tx
    .updateTable('user_tokens')
    .set({ revoked_at: sql<Date>`app.now()`, revoked_reason: reason })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('kind', '=', 'oauth')
    .where('revoked_at', 'is', null)
    .returningAll()
  const theirs = clientId === undefined ? revoking : revoking.where('client_id', '=', clientId)
  const revoked = await theirs.executeTakeFirst()
  if (revoked) settleNotices(tx, ['token_ends'], workspaceId, [id])
  return revoked
}

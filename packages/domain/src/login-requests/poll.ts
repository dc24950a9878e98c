import { timingSafeEqual } from 'node:crypto'
import { ServiceError } from '@svc/contracts/errors'
import { type LoginAnswer, loginToken } from '@svc/contracts/login-request'
import { presetPermissions } from '@svc/contracts/permissions'
import type { RouteInput } from '@svc/contracts/rest'
import type { Tx } from '@svc/db/database'
import type { LoginRequestRow, UserTokenRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { newTokenSecret } from '../access/token-secret.ts'
import { recordAuditOfPersonIn } from '../audit/record.ts'
import { inTransaction, refuseAfterCommit } from '../commit/transaction.ts'
import type { KeyRing } from '../common/key-ring.ts'
import type { Visitor } from '../people/visitor.ts'
import type { UseCase } from '../use-case.ts'
import { mintToken } from '../user-tokens/create.ts'
import { mintedAs, viewUserToken } from '../user-tokens/views.ts'
import { hashSecret } from '../common/secrets.ts'
import { lockById } from './queries.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'

/** That long whoever took the token may ask for it again: the first answer may have been lost. */
const repeatSeconds = 60

/** What became of it; the token once somebody has approved it. */
export function pollLoginRequest(
  context: UseCase,
  _visitor: Visitor,
  { id, verifier }: RouteInput<'pollLoginRequest'>,
): Promise<LoginAnswer> {
  return inTransaction(context, async (tx) => {
    const row = await lockById(tx, id)
    if (!row) throw new ServiceError('not_found', `No login request ${id} here: ask anew.`)
    if (!timingSafeEqual(hashSecret(verifier), row.challenge)) {
      await tx.updateTable('login_requests').set({ state: 'burnt' }).where('id', '=', id).execute()
      return refuseAfterCommit(notYours())
    }
    if (row.state === 'denied') return stateOnly('denied')
    if (row.state === 'taken') return repeatAnswer(tx, context, { row, verifier })
    if (row.state === 'burnt' || row.is_over) return stateOnly('expired')
    return row.state === 'approved' ? take(tx, context, { row, verifier }) : stateOnly('pending')
  })
}

function stateOnly(state: LoginAnswer['state']): LoginAnswer {
  return { state, granted: null }
}

function notYours(): ServiceError {
  return new ServiceError(
    'forbidden',
    'That is not the verifier of this login request, which has ended by that. Ask anew.',
  )
}

interface Taking {
  row: LoginRequestRow
  verifier: string
}

async function take(
  tx: UnitOfWork,
  context: UseCase,
  { row, verifier }: Taking,
): Promise<LoginAnswer> {
  const { id, approved_in: workspaceId, user_id: userId, device } = row
  if (workspaceId === null || userId === null) throw new Error('approved by nobody')
  if (!(await holdMember(tx, { workspaceId, userId }))) return stateOnly('denied')
  const { keys } = context.domain
  const [secret] = secretsOf(keys, id, verifier)
  const { preset, days } = loginToken
  const permissions = presetPermissions[preset]
  const minted = await mintToken(tx, keys, {
    workspaceId,
    userId,
    label: `svc login on ${device}`,
    preset,
    permissions,
    projectIds: null,
    audiences: ['api', 'mcp'],
    expiresInDays: days,
    ...(secret && { secret }),
  })
  await tx
    .updateTable('login_requests')
    .set({ state: 'taken', token_id: minted.row.id, taken_at: sql<Date>`app.now()` })
    .where('id', '=', id)
    .execute()
  const userToken = viewUserToken(minted.row, permissions)
  recordAuditOfPersonIn(tx, context, { workspaceId, userId }, mintedAs(userToken))
  return { state: 'approved', granted: { token: minted.token, userToken } }
}

/** Whoever approved it may have left since; leaving waits for what is taken now, and ends it. */
async function holdMember(
  tx: Tx,
  { workspaceId, userId }: { workspaceId: string; userId: string },
) {
  const { rows } = await sql`
    select from memberships m join users u on u.id = m.user_id
     where m.workspace_id = ${workspaceId} and m.user_id = ${userId} and u.disabled_at is null
       for share of m`.execute(tx)
  return rows.length > 0
}

/** The same token again, made anew: it is kept nowhere. */
async function repeatAnswer(
  tx: Tx,
  { domain: { keys } }: UseCase,
  { row, verifier }: Taking,
): Promise<LoginAnswer> {
  const stored = await findTaken(tx, row)
  const kept = stored?.token_hmac
  if (!stored || !kept) return stateOnly('expired')
  const token = secretsOf(keys, row.id, verifier)
    .map((secret) => newTokenSecret('minted', secret))
    .find((one) => keys.macs('tokens', one).some(({ mac }) => mac.equals(kept)))
  if (token === undefined) return stateOnly('expired')
  const userToken = viewUserToken(stored, presetPermissions[loginToken.preset])
  return { state: 'approved', granted: { token, userToken } }
}

function findTaken(tx: Tx, row: LoginRequestRow): Promise<UserTokenRow | undefined> {
  return tx
    .selectFrom('user_tokens')
    .selectAll()
    .where('workspace_id', '=', row.approved_in)
    .where('id', '=', row.token_id)
    .where('revoked_at', 'is', null)
    .where(
      sql<boolean>`${row.taken_at}::timestamptz > app.now() - make_interval(secs => ${repeatSeconds})`,
    )
    .executeTakeFirst()
}

/** What the token is made of: it takes both our key and the verifier, so nothing that is stored gives it away. */
function secretsOf(keys: KeyRing, id: string, verifier: string): Buffer[] {
  return keys.macs('login-tokens', `${id} ${verifier}`).map(({ mac }) => mac)
}

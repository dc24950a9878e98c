import type { Tx } from '@svc/db/database'
import { sql } from 'kysely'
import { recordAuditOfNobody } from '../audit/record.ts'
import { inTransaction, refuseAfterCommit } from '../commit/transaction.ts'
import type { UseCase } from '../use-case.ts'
import { findClient, keepClient } from './clients.ts'
import { OAuthError } from './error.ts'
import { activateGrant, revokeGrant } from './grants.ts'
import { provesChallenge } from './pkce.ts'
import { isCanonical } from './resource.ts'
import { hashSecret } from '../common/secrets.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'

export interface Exchange {
  clientId: string
  code: string
  redirectUri: string
  verifier: string | undefined
  /** As many as were sent. */
  resources: readonly string[]
}

/** A code for a token, once. What is wrong with a code is one answer, and a wrong verifier or resource has used it up. */
export async function exchangeCode(
  context: UseCase,
  exchange: Exchange,
  resource: string,
): Promise<{ token: string; expiresInSeconds: number }> {
  const { domain } = context
  if (!(await findClient(domain.db, exchange.clientId))) throw unknownClient()
  return inTransaction(context, async (tx) => {
    const redeemed = await redeem(tx, exchange)
    if (!redeemed) {
      await revokeReplayed(tx, context, exchange.code)
      return refuseAfterCommit(invalidGrant())
    }
    const grant = { workspaceId: redeemed.approved_in, id: redeemed.grant_id }
    const fault = faultOf(redeemed, exchange, resource)
    if (fault) {
      await revokeGrant(tx, grant, 'refused')
      return refuseAfterCommit(fault)
    }
    const given = await activateGrant(tx, domain.keys, grant)
    if (given === undefined) return refuseAfterCommit(invalidGrant())
    await keepClient(tx, exchange.clientId, given.seconds)
    return { token: given.token, expiresInSeconds: given.seconds }
  })
}

interface Redeemed {
  approved_in: string
  grant_id: string
  code_challenge: string
  resource: string
}

/** One statement, so that of those who come at once one has it. */
async function redeem(tx: Tx, { code, clientId, redirectUri }: Exchange) {
  const { rows } = await sql<Redeemed>`
    update oauth_requests set used_at = app.now()
     where code_hash = ${hashSecret(code)} and client_id = ${clientId}
       and redirect_uri = ${redirectUri} and used_at is null and code_expires_at > app.now()
    returning approved_in, grant_id, code_challenge, resource`.execute(tx)
  return rows[0]
}

/** Two have had the code: nobody knows who of them was meant to. */
async function revokeReplayed(tx: UnitOfWork, context: UseCase, code: string): Promise<void> {
  const used = await tx
    .selectFrom('oauth_requests')
    .select(['approved_in', 'grant_id'])
    .where('code_hash', '=', hashSecret(code))
    .where('used_at', 'is not', null)
    .executeTakeFirst()
  if (!used || used.approved_in === null || used.grant_id === null) return
  const grant = { workspaceId: used.approved_in, id: used.grant_id }
  const reason = 'code_replayed'
  const revoked = await revokeGrant(tx, grant, reason)
  if (!revoked) return
  const { user_id: userId, label, prefix } = revoked
  const details = { label, prefix, userId, reason }
  const facts = { action: 'token.revoked', targetId: grant.id, details } as const
  recordAuditOfNobody(tx, context, grant.workspaceId, facts)
}

function faultOf(
  { code_challenge: challenge, resource: approved }: Redeemed,
  { verifier, resources }: Exchange,
  resource: string,
): OAuthError | undefined {
  if (!provesChallenge(verifier, challenge)) return invalidGrant()
  if (approved === resource && isCanonical(resources, resource)) return undefined
  return new OAuthError('invalid_target', `The resource must be ${resource}.`)
}

function unknownClient(): OAuthError {
  return new OAuthError('invalid_client', 'No such client is registered here. Register again.')
}

function invalidGrant(): OAuthError {
  return new OAuthError(
    'invalid_grant',
    'The code is unknown, used, expired, or was given to another client or address, or the verifier is not its own.',
  )
}

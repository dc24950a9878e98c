import { ServiceError, isServiceError } from '@svc/contracts/errors'
import { sql } from 'kysely'
import { authorize } from '../access/authorize.ts'
import { recordAudit } from '../audit/record.ts'
import { inTransaction } from '../commit/transaction.ts'
import { actorIn } from '../people/access/authenticate.ts'
import type { Person } from '../entities/people/person.ts'
import type { UseCase } from '../use-case.ts'
import { lockMinter } from '../user-tokens/create.ts'
import { codeMinutes, discardGrantOf, oauthScope, putPendingGrant } from './grants.ts'
import { type AuthorizationRequest, lockRequest, refuseOtherResource } from './requests.ts'
import { newSecret } from '../common/secrets.ts'

export interface Approval {
  handle: string
  /** Id of the one that the person has chosen. */
  workspaceId: string
  /** What access is given to. */
  resource: string
}

export interface Approved {
  request: AuthorizationRequest
  code: string
}

/**
 * Writes down what the application may do and the code by which it fetches its token, in one. Approved a second time, the
 * request has another code and the first is worth nothing.
 */
export async function approveRequest(
  context: UseCase,
  person: Person,
  { handle, workspaceId, resource }: Approval,
): Promise<Approved> {
  const actor = await actorIn(context.domain.db, person.signIn.id, workspaceId).catch(explain)
  authorize(actor, 'oauth_grant:approve')
  return inTransaction(context, async (tx) => {
    await lockMinter(tx, actor)
    const request = await lockRequest(tx, handle)
    refuseOtherResource(request, resource)
    await discardGrantOf(tx, request)
    const grant = await putPendingGrant(tx, {
      workspaceId,
      userId: actor.userId,
      clientId: request.client_id,
      clientName: request.client_name,
    })
    const { secret: code, hash } = newSecret()
    await tx
      .updateTable('oauth_requests')
      .set({
        code_hash: hash,
        code_expires_at: sql<Date>`app.now() + make_interval(mins => ${codeMinutes})`,
        approved_in: workspaceId,
        grant_id: grant.id,
      })
      .where('id', '=', request.id)
      .execute()
    const { host } = new URL(request.redirect_uri)
    const details = { label: grant.label, preset: oauthScope, clientId: request.client_id, host }
    recordAudit(tx, context, actor, { action: 'grant.approved', targetId: grant.id, details })
    return { request, code }
  })
}

/** A page says it in other words than an endpoint, which would ask for a token. */
function explain(error: unknown): never {
  if (!isServiceError(error) || error.code !== 'unauthenticated') throw error
  throw new ServiceError(
    'not_found',
    'You are no member of that workspace. Start again in the application, and choose another.',
  )
}

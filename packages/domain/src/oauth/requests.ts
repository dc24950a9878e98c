import type { Queryable, Tx } from '@svc/db/database'
import type { OauthRequestRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { inTransaction } from '../commit/transaction.ts'
import { newId } from '../common/ids.ts'
import type { UseCase } from '../use-case.ts'
import { OAuthError } from './error.ts'
import { hashSecret, newSecret } from '../common/secrets.ts'

export type AuthorizationRequest = OauthRequestRow

export interface NewRequest {
  clientId: string
  clientName: string
  redirectUri: string
  state: string | undefined
  challenge: string
  resource: string
}

const openMinutes = 10

/** Kept until a person has looked at it; the handle is all that an address holds of it. */
export function storeRequest(context: UseCase, order: NewRequest): Promise<string> {
  const { secret, hash } = newSecret()
  return inTransaction(context, async (tx) => {
    await tx
      .insertInto('oauth_requests')
      .values({
        id: newId(),
        handle_hash: hash,
        client_id: order.clientId,
        client_name: order.clientName,
        redirect_uri: order.redirectUri,
        state: order.state ?? null,
        code_challenge: order.challenge,
        resource: order.resource,
        expires_at: sql<Date>`app.now() + make_interval(mins => ${openMinutes})`,
      })
      .execute()
    return secret
  })
}

function presentRequests(db: Queryable, handle: string) {
  return db
    .selectFrom('oauth_requests')
    .selectAll()
    .where('handle_hash', '=', hashSecret(handle))
    .where('expires_at', '>', sql<Date>`app.now()`)
}

function openRequests(db: Queryable, handle: string) {
  return presentRequests(db, handle).where('used_at', 'is', null)
}

/** One that a person may answer: neither too old, nor denied, nor carried out. */
export async function findRequest(db: Queryable, handle: string): Promise<AuthorizationRequest> {
  const found = await openRequests(db, handle).executeTakeFirst()
  if (!found) throw unknownRequest()
  return found
}

/** Two answers to one request, and its exchange, wait for each other. */
export async function lockRequest(tx: Tx, handle: string): Promise<AuthorizationRequest> {
  const found = await openRequests(tx, handle).forNoKeyUpdate().executeTakeFirst()
  if (!found) throw unknownRequest()
  return found
}

/** The same of one that may be denied, which is repeated as often as it is sent. */
export async function lockDeniable(tx: Tx, handle: string): Promise<AuthorizationRequest> {
  const found = await presentRequests(tx, handle)
    .where((where) => where.or([where('used_at', 'is', null), where('grant_id', 'is', null)]))
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!found) throw unknownRequest()
  return found
}

function unknownRequest(): OAuthError {
  return new OAuthError(
    'invalid_request',
    'This request for access is too old, or was answered already. Start again in the application.',
  )
}

/** The address was another when it was asked for: what would be approved is no longer here. */
export function refuseOtherResource(request: AuthorizationRequest, resource: string): void {
  if (request.resource === resource) return
  throw new OAuthError(
    'invalid_target',
    `invalid_target: access was asked for ${request.resource}, and this is ${resource}. Start again in the application.`,
  )
}

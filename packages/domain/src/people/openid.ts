import { ServiceError } from '@svc/contracts/errors'
import type { Tx } from '@svc/db/database'
import { sql } from 'kysely'
import { inTransaction } from '../commit/transaction.ts'
import type { Domain } from '../domain.ts'
import type { UseCase } from '../use-case.ts'
import { hashSecret, newSecret } from '../secrets.ts'

const minutes = 10

export interface OpenIdRequest {
  /** Where to go once signed in. */
  next: string
  /** The sign-in that an identity is linked for; null: somebody signs in. */
  signInId: string | null
}

/** Somebody is sent to a provider. Answers the secret that their browser keeps, and nobody else has. */
export async function startOpenId(
  context: UseCase,
  provider: string,
  { next, signInId }: OpenIdRequest,
): Promise<string> {
  const { secret, hash } = newSecret()
  await inTransaction(context, (tx) =>
    sql`
      insert into openid_requests (secret_hash, provider, next, sign_in_id, expires_at)
      values (${hash}, ${provider}, ${next}, ${signInId}::uuid,
              app.now() + make_interval(mins => ${minutes}))`.execute(tx),
  )
  return secret
}

/** Somebody is back from a provider, for the first time and soon enough. */
export async function takeOpenIdRequest(
  { db }: Domain,
  provider: string,
  secret: string | undefined,
): Promise<OpenIdRequest> {
  const taken = await db
    .deleteFrom('openid_requests')
    .where('secret_hash', '=', hashSecret(secret ?? ''))
    .where('provider', '=', provider)
    .where('expires_at', '>', sql<Date>`app.now()`)
    .returning(['next', 'sign_in_id'])
    .executeTakeFirst()
  if (taken) return { next: taken.next, signInId: taken.sign_in_id }
  throw new ServiceError(
    'forbidden',
    `This took longer than ${minutes} minutes, or did not begin in this browser. Sign in once more.`,
  )
}

export async function forgetOpenIdRequests(tx: Tx): Promise<void> {
  await sql`delete from openid_requests where expires_at < app.now()`.execute(tx)
}

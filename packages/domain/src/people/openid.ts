import { ServiceError } from '@svc/contracts/errors'
import { sql } from 'kysely'
import { inTransaction } from '../commit/transaction.ts'
import type { Domain } from '../domain.ts'
import type { UseCase } from '../use-case.ts'
import { hashSecret, newSecret } from '../common/secrets.ts'
import type { Stranger } from './identities.ts'

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

/** Somebody is back and is asked something first. Answers the secret that their browser keeps until they have answered. */
export async function keepStranger(
  context: UseCase,
  provider: string,
  { stranger, next }: { stranger: Stranger; next: string },
): Promise<string> {
  const { secret, hash } = newSecret()
  const { issuer, subject, email, emailIsVerified, name } = stranger
  const kept = JSON.stringify({ issuer, subject, email, emailIsVerified, name })
  await inTransaction(context, (tx) =>
    sql`
      insert into openid_requests (secret_hash, provider, next, stranger, expires_at)
      values (${hash}, ${provider}, ${next}, ${kept}::jsonb,
              app.now() + make_interval(mins => ${minutes}))`.execute(tx),
  )
  return secret
}

/** They have answered, for the first time and soon enough. */
export async function takeStranger(
  domain: Domain,
  provider: string,
  secret: string | undefined,
): Promise<{ stranger: Stranger; next: string }> {
  const taken = await takeRow(domain, { provider, secret })
    .returning(['next', 'stranger'])
    .where('stranger', 'is not', null)
    .executeTakeFirst()
  if (!taken?.stranger) throw tooLate()
  const { email, name, ...rest } = taken.stranger
  return { stranger: { ...rest, email, name }, next: taken.next }
}

/** Somebody is back from a provider, for the first time and soon enough. */
export async function takeOpenIdRequest(
  domain: Domain,
  provider: string,
  secret: string | undefined,
): Promise<OpenIdRequest> {
  const taken = await takeRow(domain, { provider, secret })
    .where('stranger', 'is', null)
    .returning(['next', 'sign_in_id'])
    .executeTakeFirst()
  if (!taken) throw tooLate()
  return { next: taken.next, signInId: taken.sign_in_id }
}

function takeRow(
  { db }: Domain,
  { provider, secret = '' }: { provider: string; secret: string | undefined },
) {
  return db
    .deleteFrom('openid_requests')
    .where('secret_hash', '=', hashSecret(secret))
    .where('provider', '=', provider)
    .where('expires_at', '>', sql<Date>`app.now()`)
}

function tooLate(): ServiceError {
  return new ServiceError(
    'forbidden',
    `This took longer than ${minutes} minutes, or did not begin in this browser. Sign in once more.`,
  )
}

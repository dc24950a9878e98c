import { randomInt } from 'node:crypto'
import { ServiceError } from '@svc/contracts/errors'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { Tx } from '@svc/db/database'
import { sql } from 'kysely'
import { inTransaction } from '../commit/transaction.ts'
import { newId } from '../common/ids.ts'
import type { KeyRing } from '../common/key-ring.ts'
import type { Visitor } from '../people/visitor.ts'
import type { UseCase } from '../use-case.ts'
import { hashSecret } from '../common/secrets.ts'

const lifeMinutes = 10
const pollSeconds = 2
/** So many logins may begin from one network; the rest waits. */
const mostPerMinute = 20

/** Asks a person, by an address that they open, to sign in the command line that keeps the verifier. */
export function createLoginRequest(
  context: UseCase,
  { from, origin }: Visitor,
  { challenge, device }: RouteInput<'createLoginRequest'>,
): Promise<RouteOutput<'createLoginRequest'>> {
  const { keys } = context.domain
  const known = Buffer.from(challenge, 'base64url')
  return inTransaction(context, async (tx) => {
    await put(tx, keys, { challenge: known, device, from })
    const row = await tx
      .selectFrom('login_requests')
      .select(['id', 'code', 'handle_hash', 'expires_at'])
      .where('challenge', '=', known)
      .executeTakeFirst()
    if (!row) throw tooMany()
    const query = new URLSearchParams({ request: handleOf(keys, row) })
    return {
      id: row.id,
      code: row.code,
      address: `${origin}/login/approve?${query.toString()}`,
      pollSeconds,
      expiresAt: row.expires_at.toISOString(),
    }
  })
}

interface NewRequest {
  challenge: Buffer
  device: string
  from: string
}

async function put(tx: Tx, keys: KeyRing, { challenge, device, from }: NewRequest): Promise<void> {
  const id = newId()
  const handle = handleFrom(keys.mac('login-requests', id))
  // those of one network are counted one after the other
  await sql`select pg_advisory_xact_lock(hashtext(${`login requests ${from}`}))`.execute(tx)
  await sql`
    insert into login_requests (id, challenge, handle_hash, code, device, network, expires_at)
    select ${id}, ${challenge}, ${hashSecret(handle)}, ${newCode()}, ${device}, ${from},
           app.now() + make_interval(mins => ${lifeMinutes})
     where (select count(*) from login_requests
             where network = ${from} and created_at > app.now() - interval '1 minute') < ${mostPerMinute}
    on conflict (challenge) do nothing`.execute(tx)
}

/** Derived, so that a repeated call gets the same answer and nothing keeps it; under whichever key it was made. */
function handleOf(keys: KeyRing, { id, handle_hash: stored }: { id: string; handle_hash: Buffer }) {
  const handles = keys.macs('login-requests', id).map(handleFrom)
  const found = handles.find((handle) => hashSecret(handle).equals(stored))
  if (found === undefined) throw new Error('the key that this login request was made under is gone')
  return found
}

function handleFrom({ mac }: { mac: Buffer }): string {
  return mac.toString('base64url')
}

/** Neither vowels, so that it is no word, nor what looks like something else. */
const signs = 'BCDFGHJKMNPQRSTVWXYZ23456789'

function newCode(): string {
  const four = () => Array.from({ length: 4 }, () => signs[randomInt(signs.length)]).join('')
  return `${four()}-${four()}`
}

function tooMany(): ServiceError {
  const message = 'Too many command lines of this network asked to be signed in: wait a minute.'
  return new ServiceError('rate_limited', message, { retryAfterSeconds: 60 })
}

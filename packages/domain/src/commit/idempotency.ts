import { constants, deflateSync, inflateSync } from 'node:zlib'
import { ServiceError } from '@svc/contracts/errors'
import type { Queryable } from '@svc/db/database'
import { type RawBuilder, sql } from 'kysely'
import type { KeyRing } from '../common/key-ring.ts'
import type { Idempotency } from '../use-case.ts'

/** What the call with this key has answered; undefined when none with it was carried out. */
export async function findAnswer(
  db: Queryable,
  keys: KeyRing,
  call: Idempotency,
): Promise<{ answer: unknown } | undefined> {
  const row = await db
    .selectFrom('idempotency_keys')
    .select(['body_hash', 'answer', 'answer_secret'])
    .where('workspace_id', '=', call.workspaceId)
    .where('owner', '=', call.owner)
    .where('route', '=', call.route)
    .where('key_hash', '=', call.keyHash)
    .executeTakeFirst()
  if (row === undefined) return undefined
  if (!row.body_hash.equals(call.bodyHash)) {
    throw new ServiceError(
      'idempotency_mismatch',
      'This Idempotency-Key was used for another request. Send a new key with a new request.',
    )
  }
  if (row.answer_secret) {
    return parseStored(unpacked(keys.open('stored-answers', contextOf(call), row.answer_secret)))
  }
  if (row.answer === null) {
    throw new ServiceError(
      'idempotency_expired',
      'This call was carried out before and its secret answer is no longer kept. Look at what it made, or make a new one.',
    )
  }
  return parseStored(row.answer)
}

function parseStored(text: string): { answer: unknown } {
  return JSON.parse(text) as { answer: unknown } // written by keepAnswer
}

/**
 * The statement that keeps the answer under the key of its call. A second call with the key waits in it until the first has
 * ended, and fails by it.
 */
export function keepAnswer(
  keys: KeyRing,
  call: Idempotency,
  { answer, isSecret }: { answer: unknown; isSecret: boolean },
): RawBuilder<unknown> {
  const text = JSON.stringify({ answer })
  const secret = isSecret ? keys.seal('stored-answers', contextOf(call), packed(text)) : null
  return sql`
    insert into idempotency_keys (workspace_id, owner, route, key_hash, body_hash, answer, answer_secret)
    values (${call.workspaceId}, ${call.owner}, ${call.route}, ${call.keyHash}, ${call.bodyHash},
            ${isSecret ? null : text}, ${secret})`
}

/** What an attach answers is many times as long as it is packed, and the database cannot pack what is sealed. */
function packed(text: string): Buffer {
  return deflateSync(text, { level: constants.Z_BEST_SPEED })
}

/** Earlier versions sealed the text as it is, which begins with a brace; what is packed begins with the letter x. */
function unpacked(kept: Buffer): string {
  return kept.toString('latin1', 0, 1) === '{' ? kept.toString() : inflateSync(kept).toString()
}

function contextOf(call: Idempotency): string {
  return `idempotency_keys ${call.workspaceId} ${call.owner} ${call.route} ${call.keyHash.toString('hex')}`
}

import { constants, deflateSync, inflateSync } from 'node:zlib'
import { ServiceError } from '@svc/contracts/errors'
import { compileOnce } from '@svc/db/compile-once'
import type { Database, Tx } from '@svc/db/database'
import { type RawBuilder, sql } from 'kysely'
import type { KeyRing } from '../common/key-ring.ts'
import type { Idempotency } from '../use-case.ts'

/** For this transaction; a second call with it waits here until the first has ended, and finds it taken. */
export async function takeKey(tx: Tx, call: Idempotency): Promise<boolean> {
  const { affected } = await insertKey(tx, call)
  return affected === 1
}

const insertKey = compileOnce<Idempotency, never>((db, call) =>
  sql<never>`
    insert into idempotency_keys (workspace_id, owner, route, key_hash, body_hash)
    values (${call.workspaceId}, ${call.owner}, ${call.route}, ${call.keyHash}, ${call.bodyHash})
    on conflict do nothing`.compile(db),
)

/** What the call that took the key has answered. */
export async function readAnswer(
  db: Database,
  keys: KeyRing,
  call: Idempotency,
): Promise<{ answer: unknown }> {
  const row = await ofCall(db, call).executeTakeFirstOrThrow()
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
  return JSON.parse(text) as { answer: unknown } // written by storeAnswer
}

/** The statement that keeps the answer under the key, which the call has taken. */
export function storeAnswer(
  keys: KeyRing,
  call: Idempotency,
  { answer, isSecret }: { answer: unknown; isSecret: boolean },
): RawBuilder<unknown> {
  const text = JSON.stringify({ answer })
  const kept = isSecret
    ? sql`answer_secret = ${keys.seal('stored-answers', contextOf(call), packed(text))}`
    : sql`answer = ${text}`
  return sql`
    update idempotency_keys set ${kept}
     where workspace_id = ${call.workspaceId} and owner = ${call.owner}
       and route = ${call.route} and key_hash = ${call.keyHash}`
}

/** What an attach answers is many times as long as it is packed, and the database cannot pack what is sealed. */
function packed(text: string): Buffer {
  return deflateSync(text, { level: constants.Z_BEST_SPEED })
}

/** Earlier versions sealed the text as it is, which begins with a brace; what is packed begins with the letter x. */
function unpacked(kept: Buffer): string {
  return kept.toString('latin1', 0, 1) === '{' ? kept.toString() : inflateSync(kept).toString()
}

/** The statement that gives the key back: a call that was refused may be made again, and is judged anew. */
export function forgetKey(call: Idempotency): RawBuilder<unknown> {
  return sql`
    delete from idempotency_keys
     where workspace_id = ${call.workspaceId} and owner = ${call.owner}
       and route = ${call.route} and key_hash = ${call.keyHash}`
}

function ofCall(db: Database, call: Idempotency) {
  return db
    .selectFrom('idempotency_keys')
    .select(['body_hash', 'answer', 'answer_secret'])
    .where('workspace_id', '=', call.workspaceId)
    .where('owner', '=', call.owner)
    .where('route', '=', call.route)
    .where('key_hash', '=', call.keyHash)
}

function contextOf(call: Idempotency): string {
  return `idempotency_keys ${call.workspaceId} ${call.owner} ${call.route} ${call.keyHash.toString('hex')}`
}

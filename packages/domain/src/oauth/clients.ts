import { createHash } from 'node:crypto'
import { ServiceError } from '@svc/contracts/errors'
import type { Queryable, Tx } from '@svc/db/database'
import type { OauthClientRow } from '@svc/db/tables'
import { type RawBuilder, sql } from 'kysely'
import { inTransaction } from '../commit/transaction.ts'
import { newId } from '../common/ids.ts'
import type { UseCase } from '../use-case.ts'
import { type ClientMetadata, readClientMetadata } from './client-metadata.ts'

export type Client = OauthClientRow

/** New clients of one network an hour, and of its neighbours a day: as many by registration as by a document. */
const most = { hourly: 10, nearby: 100 }
/** Days that a client is kept that nobody lets in, and after the end of the last token that it had. */
const keptDays = { unused: 7, used: 90 }

/** The same metadata is the same client, however often it registers. */
export function registerClient(context: UseCase, said: unknown): Promise<Client> {
  const metadata = readClientMetadata(said)
  const { name, redirectUris, applicationType } = metadata
  const identity = JSON.stringify([name, redirectUris.toSorted(), applicationType])
  const hash = createHash('sha256').update(identity).digest()
  return inTransaction(context, async (tx) => {
    await countAlone(tx)
    const known = await renew(tx, hash)
    if (known) return known
    const network = await admit(tx, context, 'registration')
    return put(tx, newId(), metadata, { metadata_hash: hash, network })
  })
}

/** What a document says; of one that is known it is what it says from now on. */
export function keepDocument(
  context: UseCase,
  {
    id,
    metadata,
    fresh_until,
  }: { id: string; metadata: ClientMetadata; fresh_until: RawBuilder<Date> },
): Promise<Client> {
  return inTransaction(context, async (tx) => {
    await countAlone(tx)
    if (await findClient(tx, id)) return put(tx, id, metadata, { fresh_until })
    const network = await admit(tx, context, 'document')
    return put(tx, id, metadata, { fresh_until, network })
  })
}

/** Those who come at once are counted one after the other. */
async function countAlone(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('oauth registrations'))`.execute(tx)
}

function renew(tx: Tx, hash: Buffer): Promise<Client | undefined> {
  return tx
    .updateTable('oauth_clients')
    .set({ kept_until: atLeast(keptDays.unused) })
    .where('metadata_hash', '=', hash)
    .returningAll()
    .executeTakeFirst()
}

/** Answers the network that a new one is counted to. */
async function admit(
  tx: Tx,
  { from: network = 'unknown' }: UseCase,
  by: 'registration' | 'document',
): Promise<string> {
  const { first, after } = neighbourhood(network)
  const { rows } = await sql<Record<keyof typeof most, number>>`
    select count(*) filter (where network = ${network}
                              and created_at > app.now() - interval '1 hour')::int as hourly,
           count(*) filter (where (metadata_hash is null) = ${by === 'document'})::int as nearby
      from oauth_clients
     where network >= ${first} and network < ${after}
       and created_at > app.now() - interval '1 day'`.execute(tx)
  const [counted = { hourly: 0, nearby: 0 }] = rows
  if (counted.hourly >= most.hourly) throw tooMany('hour from your network', 600)
  if (counted.nearby >= most.nearby) throw tooMany('day from networks next to yours', 3_600)
  return network
}

/** Between which lie the networks that one customer of a provider may have many of: an IPv4 /24, an IPv6 /48. */
function neighbourhood(network: string): { first: string; after: string } {
  const first = nearby(network)
  return {
    first,
    after: first.slice(0, -1) + String.fromCharCode(first.charCodeAt(first.length - 1) + 1),
  }
}

/** What those networks begin with. */
export function nearby(network: string): string {
  return /^(?:\d+\.){3}|^(?:[\da-f]+:){3}/.exec(network)?.[0] ?? network
}

function tooMany(where: string, retryAfterSeconds: number): ServiceError {
  return new ServiceError(
    'rate_limited',
    `Too many new applications came in the last ${where}. Try again later.`,
    { retryAfterSeconds },
  )
}

/** What is there under this id is what it is from now on. */
function put(
  tx: Tx,
  id: string,
  { name, redirectUris, applicationType }: ClientMetadata,
  rest: { metadata_hash?: Buffer; network?: string; fresh_until?: RawBuilder<Date> },
): Promise<Client> {
  const said = { name, redirect_uris: redirectUris, application_type: applicationType, ...rest }
  return tx
    .insertInto('oauth_clients')
    .values({
      id,
      ...said,
      kept_until: sql<Date>`app.now() + make_interval(days => ${keptDays.unused})`,
    })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({ ...said, kept_until: atLeast(keptDays.unused) }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}

export function findClient(db: Queryable, id: string): Promise<Client | undefined> {
  return db.selectFrom('oauth_clients').selectAll().where('id', '=', id).executeTakeFirst()
}

/** A client with a token is known until some time after its end: it comes back for the next. */
export async function keepClient(tx: Tx, id: string, tokenSeconds: number): Promise<void> {
  await tx
    .updateTable('oauth_clients')
    .set({ kept_until: atLeast(keptDays.used + Math.ceil(tokenSeconds / 86_400)) })
    .where('id', '=', id)
    .execute()
}

function atLeast(days: number): RawBuilder<Date> {
  return sql<Date>`greatest(oauth_clients.kept_until, app.now() + make_interval(days => ${days}))`
}

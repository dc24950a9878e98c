import { sql } from 'kysely'
import type { Domain } from '../domain.ts'
import type { UseCase } from '../use-case.ts'
import type { OutboundResult } from '../outbound.ts'
import { readClientMetadata } from './client-metadata.ts'
import { type Client, keepDocument } from './clients.ts'
import { OAuthError } from './error.ts'

const mostBytes = 5_120
const mostSeconds = 7 * 24 * 3_600
const timeoutMs = 10_000

/** An https address of a named host with a path, as it is written: of no two spellings are both taken. */
export function isDocumentAddress(id: string): boolean {
  const url = URL.parse(id)
  if (id.length > 2_000 || url?.protocol !== 'https:' || url.href !== id) return false
  if (isLiteral(url.hostname)) return false
  return url.pathname !== '/' && !id.includes('#') && url.username === '' && url.password === ''
}

/** An IP address, as a parsed address has it. */
function isLiteral(host: string): boolean {
  return /^\[|^[\d.]+$/.test(host)
}

/**
 * The client whose document lies there, read anew unless what was read still holds. Whatever is wrong is never kept.
 * `beforeFetch` may refuse to have it fetched.
 */
export async function readDocument(
  context: UseCase,
  id: string,
  beforeFetch: () => void,
): Promise<Client> {
  const { domain } = context
  const known = await findFresh(domain, id)
  if (known) return known
  beforeFetch()
  const answer = await domain.outbound.read({ url: id, timeoutMs, mostBytes })
  const metadata = readClientMetadata(parseDocument(id, answer))
  const fresh_until = sql<Date>`app.now() + make_interval(secs => ${freshSeconds(answer)})`
  return keepDocument(context, { id, metadata, fresh_until })
}

function findFresh({ db }: Domain, id: string): Promise<Client | undefined> {
  return db
    .selectFrom('oauth_clients')
    .selectAll()
    .where('id', '=', id)
    .where('fresh_until', '>', sql<Date>`app.now()`)
    .executeTakeFirst()
}

const unread =
  'cannot be read from here: where there is no way out to it, whoever runs this service can have applications register instead'

function parseDocument(id: string, answer: OutboundResult): object {
  if (answer.outcome !== 'success' || answer.status !== 200) throw refused(unread)
  if (answer.truncated) throw refused(`is larger than ${mostBytes} bytes, or did not come in time`)
  const said = parseObject(answer.body)
  if (!said) throw refused('is no JSON object')
  if (said['client_id'] !== id) throw refused('tells another client_id than its own address')
  const isPlain = (said['token_endpoint_auth_method'] ?? 'none') === 'none'
  if (!isPlain || 'client_secret' in said) throw refused('tells of a secret, which none can have')
  if (typeof said['client_name'] !== 'string') throw refused('has no client_name')
  return said
}

function parseObject(body: Buffer): Record<string, unknown> | undefined {
  try {
    const said: unknown = JSON.parse(body.toString())
    if (typeof said !== 'object' || said === null || Array.isArray(said)) return undefined
    // an object that was made of JSON has texts as its keys
    return said as Record<string, unknown>
  } catch {
    return undefined
  }
}

function refused(why: string): OAuthError {
  return new OAuthError('invalid_client', `The document at the address of the client ${why}.`)
}

/** As long as its server says, and for a week at most. */
function freshSeconds({ headers }: OutboundResult): number {
  const [, said = ''] = headers.find(([name]) => name === 'cache-control') ?? []
  if (/\bno-(?:store|cache)\b/i.test(said)) return 0
  const [, age = '0'] = /\bmax-age=(\d{1,9})\b/i.exec(said) ?? []
  return Math.min(Number(age), mostSeconds)
}

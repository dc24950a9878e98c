import { ServiceError } from '@svc/contracts/errors'
import type { TokenAudience } from '@svc/contracts/user-token'
import type { Queryable } from '@svc/db/database'
import { sql } from 'kysely'
import type { Actor } from '../common/actor.ts'
import type { Domain } from '../domain.ts'
import { translate } from '../common/database-failures.ts'
import { formOfToken } from '@svc/contracts/token-form'
import { isDeepStrictEqual } from 'node:util'
import { type Recent, keepRecent } from '@svc/contracts/recent'
import type { Recalled } from '../common/recalled.ts'
import { readRunToken } from './run-token.ts'
import {
  type TokenRow,
  claimersInForce,
  findClaimer,
  findToken,
  toActor,
  toActorOfRun,
  tokensInForce,
} from './tokens.ts'

/**
 * Who a bearer token speaks for, with role and scope read anew. Whatever is wrong with it is one `unauthenticated`:
 * missing, malformed, unknown, expired, revoked, for another audience, of a person who left, of a run that is over.
 */
export async function authenticate(
  domain: Domain,
  bearer: string | undefined,
  audience: TokenAudience,
): Promise<Actor> {
  const look = lookFor(domain, bearer, audience)
  if (!look) throw unauthenticated()
  const row = await look.ask(domain.db)
  if (!row) throw look.refusal()
  const actor = look.actorOf(row)
  callersOf(domain).set(look.key, { row, actor })
  return actor
}

/**
 * Who called with this token before, for a call of which all is done by one transaction: that reads who they are by its
 * first packet in place of one before it. Undefined of a token that did not come lately. Decision 156.
 */
export function recall(
  domain: Domain,
  bearer: string | undefined,
  audience: TokenAudience,
): Recalled | undefined {
  const look = lookFor(domain, bearer, audience)
  const known = look && callersOf(domain).get(look.key)
  if (!known) return undefined
  let answered: Promise<boolean> | undefined
  const ask = async (db: Queryable): Promise<boolean> => {
    const row = await look.ask(db)
    const isSame = row !== undefined && isDeepStrictEqual(said(row), said(known.row))
    if (!isSame) callersOf(domain).delete(look.key)
    return isSame
  }
  const isStillThat = (tx?: Queryable): Promise<boolean> => {
    if (tx === undefined && answered) return answered
    const before = answered
    const asking = ask(tx ?? domain.db)
    // once no, always no; what could not be asked is asked anew
    answered = Promise.all([before ?? true, asking]).then(
      (answers) => answers.every(Boolean),
      (error: unknown) => {
        answered = before
        throw error
      },
    )
    return answered
  }
  return { actor: known.actor, isStillThat }
}

/** All but what says nothing of who calls: whether a use is to be noted, by which key the MAC is, and in which order what comes. */
const said = ({ scopes, ...row }: TokenRow): TokenRow => {
  return { ...row, scopes: scopes.toSorted(), touch: false, hmac_kid: '' }
}

const mostCallers = 5_000
const callers = new WeakMap<Domain, Recent<{ row: TokenRow; actor: Actor }>>()

function callersOf(domain: Domain): Recent<{ row: TokenRow; actor: Actor }> {
  const known = callers.get(domain) ?? keepRecent(mostCallers)
  callers.set(domain, known)
  return known
}

/** How a token is looked up, whatever it is of. */
interface Look {
  /** Of this token and audience alone. */
  key: string
  ask: (db: Queryable) => Promise<TokenRow | undefined>
  actorOf: (row: TokenRow) => Actor
  refusal: () => ServiceError
}

/** None for what is no token of ours by its form alone. */
function lookFor(
  domain: Domain,
  bearer: string | undefined,
  audience: TokenAudience,
): Look | undefined {
  const form = bearer === undefined ? undefined : formOfToken(bearer)
  if (bearer === undefined || form === undefined) return undefined
  return form === 'run'
    ? lookForRun(domain, bearer, audience)
    : lookForToken(domain, bearer, audience)
}

function lookForToken(domain: Domain, bearer: string, audience: TokenAudience): Look | undefined {
  const candidates = domain.keys.macs('tokens', bearer)
  const [newest] = candidates
  if (!newest) return undefined
  const values = Object.assign(
    { audience },
    candidates.map(({ mac }) => mac),
  )
  return {
    key: `${audience} ${newest.mac.toString('base64')}`,
    async ask(db) {
      const { rows } = await findToken(candidates.length)(db, values).catch(rethrow)
      const [row] = rows
      if (row && (row.hmac_kid !== newest.kid || row.touch)) void touchToken(domain, row, newest)
      return row
    },
    actorOf: toActor,
    refusal: unauthenticated,
  }
}

/** An agent, by what it was given for its run alone. */
function lookForRun(domain: Domain, bearer: string, audience: TokenAudience): Look | undefined {
  const run = readRunToken(domain.keys, bearer)
  if (!run) return undefined
  const { tokenId, requestId, generation } = run
  return {
    key: `${audience} ${tokenId} ${requestId} ${generation}`,
    async ask(db) {
      const { rows } = await findClaimer(db, { ...run, audience }).catch(rethrow)
      return rows[0]
    },
    actorOf: (row) => toActorOfRun(row, run, bearer.slice(0, shownCharacters)),
    refusal: runIsOver,
  }
}

export function unauthenticated(): ServiceError {
  return new ServiceError(
    'unauthenticated',
    'No valid access token came with this request. Send one as: Authorization: Bearer <token>',
  )
}

/** Whoever has one of our making may be answered what became of it. */
function runIsOver(): ServiceError {
  return new ServiceError(
    'unauthenticated',
    'This token was good for one run, which is over, or whose runner has lost its right. Stop: what is done now will not be taken.',
    { reason: 'run_over' },
  )
}

/** The same caller as of now, for what lasts longer than a request. */
export async function authenticateTokenAgain(db: Queryable, actor: Actor): Promise<Actor> {
  const { workspaceId, credential } = actor
  const { id: tokenId, run, prefix } = credential
  if (run) {
    const again = { workspaceId, tokenId, ...run }
    const row = await claimersInForce(db, again).executeTakeFirst().catch(rethrow)
    if (!row) throw runIsOver()
    return toActorOfRun(row, again, prefix)
  }
  const row = await tokensInForce(db)
    .where('t.workspace_id', '=', workspaceId)
    .where('t.id', '=', tokenId)
    .executeTakeFirst()
    .catch(rethrow)
  if (!row) throw unauthenticated()
  return toActor(row)
}

/** The beginning of a token, by which people recognise it. */
const shownCharacters = 14

function rethrow(error: unknown): never {
  throw translate(error)
}

/** At most once a minute, and apart from the request: a failure here must not fail the call. */
async function touchToken(domain: Domain, row: TokenRow, newest: { kid: string; mac: Buffer }) {
  await domain.db
    .updateTable('user_tokens')
    .set({ last_used_at: sql<Date>`app.now()`, token_hmac: newest.mac, hmac_kid: newest.kid })
    .where('workspace_id', '=', row.workspace_id)
    .where('id', '=', row.id)
    .execute()
    .catch((error: unknown) => domain.log.warn({ err: error }, 'last use of a token was not noted'))
}

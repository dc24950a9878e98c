import { setTimeout as delay } from 'node:timers/promises'
import { ServiceError, isServiceError } from '@svc/contracts/errors'
import type { Tx } from '@svc/db/database'
import { runTransaction } from '@svc/db/run-transaction'
import { isStalePlan } from '@svc/db/statement-names'
import { sql } from 'kysely'
import { findAnswer, storeAnswer } from './idempotency.ts'
import type { UseCase } from '../use-case.ts'
import { type Collected, createCollected } from './collected.ts'
import type { Channel } from './wake-hub.ts'

const attempts = 4

/** Carried out of a transaction that must keep its trace although the call is refused. Decision 16. */
class CommittedRefusal {
  readonly error: ServiceError
  constructor(error: ServiceError) {
    this.error = error
  }
}

/** The one way to commit what was written and refuse the call all the same: `return refuseAfterCommit(error)`. */
export function refuseAfterCommit(error: ServiceError): never {
  // `inTransaction` takes it out again before anybody sees it as a value of the caller's type
  return new CommittedRefusal(error) as never
}

/** What a transaction brings to those who write in it. */
interface Carried {
  collected: Collected
  /** Told once it has committed, and what about. */
  wanted: Map<Channel, Set<string>>
}
const carried = new WeakMap<object, Carried>()

export function carriedBy(tx: Tx): Carried {
  const found = carried.get(tx)
  if (!found) throw new Error('this transaction was not opened by inTransaction')
  return found
}

/** Asks for a wake-up on the channel once this transaction has committed; about anything when nothing is named. */
export function wakeAfterCommit(tx: Tx, channel: Channel, about = ''): void {
  const { wanted } = carriedBy(tx)
  wanted.set(channel, (wanted.get(channel) ?? new Set()).add(about))
}

interface Options {
  /** The answer holds a secret: for a repeated call it is kept encrypted, and for minutes only. */
  secretAnswer?: boolean
}

/**
 * One use case, one transaction. A call with an idempotency key answers from what is stored under it. Deadlocks and
 * stale plans are tried again; what the database cannot do now is `unavailable`.
 */
export async function inTransaction<T>(
  context: UseCase,
  work: (tx: Tx) => Promise<T>,
  options: Options = {},
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runOnce(context, work, options)
    } catch (error) {
      if (!isRetryable(error) || attempt === attempts) throw translate(error)
      await delay(Math.random() * 20 * 2 ** attempt)
    }
  }
}

async function runOnce<T>(
  context: UseCase,
  work: (tx: Tx) => Promise<T>,
  options: Options,
): Promise<T> {
  const { domain, idempotency } = context
  const wanted: Carried['wanted'] = new Map()
  const collected = createCollected(domain.db, domain.jobs)
  const result = await runTransaction(domain.db, collected, async (tx) => {
    carried.set(tx, { collected, wanted })
    if (!idempotency) return work(tx)
    const known = await findAnswer(tx, domain.keys, idempotency)
    // stored by this same use case, so it has this use case's type
    if (known) return known.answer as T
    const answer = await work(tx)
    if (!(answer instanceof CommittedRefusal)) {
      const isSecret = options.secretAnswer ?? false
      collected.addWrite('answer', storeAnswer(domain.keys, idempotency, { answer, isSecret }))
    }
    return answer
  })
  for (const [channel, about] of wanted) domain.wake.tell(channel, about)
  if (result instanceof CommittedRefusal) throw result.error
  return result
}

/** Writes what was collected so far: for a read in the same call that must find it. */
export async function writeCollected(tx: Tx): Promise<void> {
  await carriedBy(tx).collected.take()?.execute(tx)
}

let savepoints = 0

/** Runs `work` so that its failure undoes itself alone. Answers what it threw in place of throwing. */
export async function savepoint<T>(
  tx: Tx,
  work: () => Promise<T>,
): Promise<{ ok: true; value: T } | { ok: false; error: unknown }> {
  savepoints += 1
  const name = sql.id(`part_${savepoints}`)
  const { collected } = carriedBy(tx)
  const mark = collected.mark()
  await sql`savepoint ${name}`.execute(tx)
  try {
    const value = await work()
    await writeCollected(tx)
    await sql`release savepoint ${name}`.execute(tx)
    return { ok: true, value }
  } catch (error) {
    collected.rewind(mark)
    await sql`rollback to savepoint ${name}`.execute(tx)
    if (isRetryable(error) || isUnavailable(error)) throw error
    return { ok: false, error }
  }
}

function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return ''
  return String(error.code)
}

function isRetryable(error: unknown): boolean {
  return ['40P01', '40001'].includes(codeOf(error)) || isStalePlan(error)
}

/** Lock and statement time-outs, a server that starts or stops, a connection that broke. */
function isUnavailable(error: unknown): boolean {
  const code = codeOf(error)
  if (
    /^(55P03|57014|57P0[1-5]|53...|08...|25P03|ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT)$/.test(
      code,
    )
  ) {
    return true
  }
  return (
    error instanceof Error &&
    /Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered/.test(
      error.message,
    )
  )
}

/** What the database cannot do just now is `unavailable`; everything else stays what it is. */
export function translate(error: unknown): unknown {
  if (isServiceError(error)) return error
  const lasting = explainLasting(error)
  if (lasting) return lasting
  if (!isRetryable(error) && !isUnavailable(error)) return error
  return new ServiceError(
    'unavailable',
    'The database is busy or away. Try again in a moment.',
    undefined,
    {
      cause: error,
    },
  )
}

/** What stays so until somebody mends it. */
function explainLasting(error: unknown): ServiceError | undefined {
  const code = codeOf(error)
  const refuse = (as: 'unavailable' | 'internal', message: string) =>
    new ServiceError(as, message, undefined, { cause: error })
  if (code === '53100') {
    return refuse(
      'unavailable',
      'The disk of the database is full: free some space, then try again.',
    )
  }
  if (code === 'XX001' || code === 'XX002') {
    return refuse('internal', 'The database is damaged: restore it from a backup.')
  }
  return undefined
}

type Handler = (...given: never[]) => Promise<unknown>

/** The same handlers, in which a database that is away is `unavailable` in reads too. */
export function translateFailures<H extends Record<string, Handler>>(handlers: H): H {
  const translated = Object.entries(handlers).map(([name, handle]) => [
    name,
    (...given: never[]) =>
      handle(...given).catch((error: unknown) => {
        throw translate(error)
      }),
  ])
  // each entry is the handler of that name with the same parameters and answer
  return Object.fromEntries(translated) as H
}

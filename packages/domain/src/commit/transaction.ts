import { setTimeout as delay } from 'node:timers/promises'
import { type ServiceError, isServiceError } from '@svc/contracts/errors'
import type { Tx } from '@svc/db/database'
import { type Unawaited, runTransaction } from '@svc/db/run-transaction'
import { sql } from 'kysely'
import { readAnswer, storeAnswer, takeKey } from './idempotency.ts'
import type { UseCase } from '../use-case.ts'
import { isRetryable, isUnavailable, translate } from '../common/database-failures.ts'
import { type Collected, createCollected } from './collected.ts'
import type { WaitingTable } from './waiting-rows.ts'
import type { Channel } from '../jobs/wake-hub.ts'

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

/** Ends a transaction whose call was carried out before, and undoes what its work has begun. */
class AnsweredBefore extends Error {}

/** What a transaction brings to those who write in it. */
interface Carried {
  collected: Collected
  /** Told once it has committed, and what about. */
  wanted: Map<Channel, Set<string>>
  parts: Parts
  unawaited: Unawaited
}

/** Of one try of a transaction. */
interface Parts {
  haveSavepoints: boolean
  wereRun: boolean
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
  let haveSavepoints = false
  for (let attempt = 1; ; attempt += 1) {
    const parts: Parts = { haveSavepoints, wereRun: false }
    try {
      return await runOnce(context, work, options, parts)
    } catch (error) {
      if (mayBeOfPart(error, parts)) {
        haveSavepoints = true
        continue
      }
      if (!isRetryable(error) || attempt >= attempts) throw translate(error)
      await delay(Math.random() * 20 * 2 ** attempt)
    }
  }
}

/** What a part left to be written fails with the commit. */
function mayBeOfPart(error: unknown, { haveSavepoints, wereRun }: Parts): boolean {
  if (haveSavepoints || !wereRun) return false
  return !isServiceError(error) && !isRetryable(error) && !isUnavailable(error)
}

async function runOnce<T>(
  context: UseCase,
  work: (tx: Tx) => Promise<T>,
  options: Options,
  parts: Parts,
): Promise<T> {
  const { domain, idempotency } = context
  const wanted: Carried['wanted'] = new Map()
  const collected = createCollected(domain.db, domain.jobs)
  const running = runTransaction(domain.db, collected, async (tx, unawaited) => {
    carried.set(tx, { collected, wanted, parts, unawaited })
    if (!idempotency) return work(tx)
    const taking = takeKey(tx, idempotency)
    // the work's first statement does not wait for the key
    const working = work(tx)
    working.catch(() => undefined)
    if (!(await taking)) throw new AnsweredBefore('the key was taken before')
    const answer = await working
    if (!(answer instanceof CommittedRefusal)) {
      const isSecret = options.secretAnswer ?? false
      collected.addWrite('answer', storeAnswer(domain.keys, idempotency, { answer, isSecret }))
    }
    return answer
  })
  const result = await running.catch(async (error: unknown) => {
    if (!(error instanceof AnsweredBefore) || !idempotency) throw error
    const known = await readAnswer(domain.db, domain.keys, idempotency)
    // stored by this same use case, so it has this use case's type
    return known.answer as T
  })
  for (const [channel, about] of wanted) domain.wake.tell(channel, about)
  if (result instanceof CommittedRefusal) throw result.error
  return result
}

/** Writes what was collected so far, for a read in the same call that must find it; that read throws its failure. */
export function writeCollected(tx: Tx): void {
  const { collected, unawaited } = carriedBy(tx)
  const write = collected.take()
  if (write) unawaited.send(write.compile(tx))
}

/** What waits to be written of this table is written before another row takes the place that one of it left. */
export function makeRoom(tx: Tx, table: WaitingTable): void {
  if (carriedBy(tx).collected.rows.moves(table)) writeCollected(tx)
}

/** A part failed in a transaction without savepoints. */
class PartFailed extends Error {}

let savepoints = 0

/**
 * Runs `work` so that its failure undoes itself alone. Answers what it threw in place of throwing. Parts rarely fail:
 * they first run without savepoints, and where one does, the whole transaction runs again with them.
 */
export async function savepoint<T>(
  tx: Tx,
  work: () => Promise<T>,
): Promise<{ ok: true; value: T } | { ok: false; error: unknown }> {
  const { collected, parts, unawaited } = carriedBy(tx)
  if (!parts.haveSavepoints) {
    parts.wereRun = true
    try {
      return { ok: true, value: await work() }
    } catch (error) {
      if (isRetryable(error) || isUnavailable(error)) throw error
      throw new PartFailed('this part is tried again in a savepoint', { cause: error })
    }
  }
  // what waited before is no part's
  await collected.take()?.execute(tx)
  savepoints += 1
  const name = sql.id(`part_${savepoints}`)
  const mark = collected.mark()
  await sql`savepoint ${name}`.execute(tx)
  try {
    const value = await work()
    await collected.take()?.execute(tx)
    await sql`release savepoint ${name}`.execute(tx)
    return { ok: true, value }
  } catch (error) {
    collected.rewind(mark)
    await unawaited.forgetFailure()
    await sql`rollback to savepoint ${name}`.execute(tx)
    if (isRetryable(error) || isUnavailable(error)) throw error
    return { ok: false, error }
  }
}

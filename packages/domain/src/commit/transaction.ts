import { setTimeout as delay } from 'node:timers/promises'
import { type ServiceError, isServiceError } from '@svc/contracts/errors'
import { type OpenTransaction, runTransaction } from '@svc/db/run-transaction'
import { sql } from 'kysely'
import { CallerChanged } from '../common/recalled.ts'
import { findAnswer, keepAnswer } from './idempotency.ts'
import type { UseCase } from '../use-case.ts'
import { isRetryable, isUnavailable, translate } from '../common/database-failures.ts'
import { createLocksHeld } from './locks-held.ts'
import { type PendingStore, createPendingStore } from './pending-writes.ts'
import { type Step, tellCommit } from './steps.ts'
import type { Tried, UnitOfWork } from './unit-of-work.ts'

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

interface Options {
  /** The answer holds a secret: for a repeated call it is kept encrypted, and for minutes only. */
  secretAnswer?: boolean
}

/**
 * One use case, one transaction. A call with an idempotency key that was carried out before ends as whatever its work meets
 * then, the key itself at the latest, and is answered by what is stored under it. Deadlocks and
 * stale plans are tried again; what the database cannot do now is `unavailable`.
 */
export async function inTransaction<T>(
  context: UseCase,
  work: (tx: UnitOfWork) => Promise<T>,
  options: Options = {},
): Promise<T> {
  let haveSavepoints = false
  for (let attempt = 1; ; attempt += 1) {
    const tried: Tried = { haveSavepoints, ranParts: false }
    try {
      return await runOnce(context, work, options, tried)
    } catch (error) {
      if (mayBeOfPart(error, tried)) {
        haveSavepoints = true
        continue
      }
      if (!isRetryable(error) || attempt >= attempts) throw translate(error)
      await delay(Math.random() * 20 * 2 ** attempt)
    }
  }
}

/** What a part left to be written fails with the commit. */
function mayBeOfPart(error: unknown, { haveSavepoints, ranParts }: Tried): boolean {
  if (haveSavepoints || !ranParts || isChanged(error)) return false
  return !isServiceError(error) && !isRetryable(error) && !isUnavailable(error)
}

function isChanged(error: unknown): boolean {
  return error instanceof CallerChanged
}

async function runOnce<T>(
  context: UseCase,
  work: (tx: UnitOfWork) => Promise<T>,
  options: Options,
  tried: Tried,
): Promise<T> {
  const { domain, idempotency, caller } = context
  const startedAt = performance.now()
  const wakeUps: UnitOfWork['wakeUps'] = new Map()
  const steps: Step[] = []
  let flush = () => {}
  const store = createPendingStore(domain.db, domain.jobs, () => flush())
  const running = runTransaction(domain.db, store.take, async (open) => {
    flush = () => {
      for (const pending of store.take(false)) open.send(pending)
    }
    const tx = createUnitOfWork(open, { store, wakeUps, steps, tried })
    // leaves with the first that the work sends
    const reading = caller?.isStillThat(open.tx)
    reading?.catch(() => undefined)
    const answer = await work(tx)
    if (reading && !(await reading)) throw new CallerChanged()
    if (!idempotency) return answer
    if (answer instanceof CommittedRefusal) {
      // nothing is kept under the key: the same call may be made again. The trace of one that was answered is undone
      if (await findAnswer(tx, domain.keys, idempotency)) throw answer.error
    } else {
      const isSecret = options.secretAnswer ?? false
      const write = keepAnswer(domain.keys, idempotency, { answer, isSecret })
      tx.pending.addStatement('answer', write)
    }
    return answer
  })
  let result: T
  try {
    result = await running
  } catch (error) {
    if (!idempotency || isRetryable(error) || isUnavailable(error) || isChanged(error)) throw error
    // what a call meets that was carried out before is what it has done itself: its work is undone
    const known = await findAnswer(domain.db, domain.keys, idempotency)
    if (known === undefined) throw error
    // stored by this same use case, so it has this use case's type
    return known.answer as T
  }
  for (const [channel, about] of wakeUps) domain.wake.notify(channel, about)
  tellCommit(startedAt, steps)
  if (result instanceof CommittedRefusal) throw result.error
  return result
}

function createUnitOfWork(
  open: OpenTransaction,
  given: { store: PendingStore; wakeUps: UnitOfWork['wakeUps']; steps: Step[]; tried: Tried },
): UnitOfWork {
  const { store, wakeUps, steps, tried } = given
  return Object.assign(open.tx, {
    pending: store.writes,
    locks: createLocksHeld(),
    takePending: store.takeParts,
    wakeUps,
    steps,
    parts: {
      tried,
      countWrites: () => store.count() + open.countWrites(),
      countLast: store.countLast,
      drop(keptLast: number) {
        store.drop(keptLast)
        return open.clearFailure()
      },
    },
  })
}

/** A part failed in a transaction without savepoints. */
class PartFailed extends Error {}

let savepoints = 0

/**
 * Runs `work` so that its failure undoes itself alone. Answers what it threw in place of throwing. A part first runs
 * without a savepoint: one that refuses before it has written anything leaves nothing to undo. Where any other fails,
 * which is rare, the whole transaction runs again with savepoints.
 */
export async function savepoint<T>(
  tx: UnitOfWork,
  work: () => Promise<T>,
): Promise<{ ok: true; value: T } | { ok: false; error: unknown }> {
  const { parts, pending } = tx
  if (!parts.tried.haveSavepoints) {
    parts.tried.ranParts = true
    const before = parts.countWrites()
    try {
      return { ok: true, value: await work() }
    } catch (error) {
      if (isRetryable(error) || isUnavailable(error)) throw error
      if (isServiceError(error) && parts.countWrites() === before) return { ok: false, error }
      throw new PartFailed('this part is tried again in a savepoint', { cause: error })
    }
  }
  savepoints += 1
  const name = sql.id(`part_${savepoints}`)
  // each of these statements flushes what is pending: before a part that is none of it, after it all that is of it
  await sql`savepoint ${name}`.execute(tx)
  const revisions = new Map(pending.revisions)
  const last = parts.countLast()
  const steps = tx.steps.length
  try {
    const value = await work()
    await sql`release savepoint ${name}`.execute(tx)
    return { ok: true, value }
  } catch (error) {
    await parts.drop(last)
    await sql`rollback to savepoint ${name}`.execute(tx)
    pending.revisions.clear()
    for (const [id, revision] of revisions) pending.revisions.set(id, revision)
    tx.steps.splice(steps)
    if (isRetryable(error) || isUnavailable(error)) throw error
    return { ok: false, error }
  }
}

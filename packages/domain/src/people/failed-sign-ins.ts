import { ServiceError, isServiceError } from '@svc/contracts/errors'
import type { Tx } from '@svc/db/database'
import { sql } from 'kysely'
import { inTransaction } from '../commit/transaction.ts'
import type { UseCase } from '../use-case.ts'
import { readMark } from './known-browser.ts'

/** That many tries may fail in that time, and no more are looked at until it is over. */
export const triesMinutes = 15
const most = { pair: 10, network: 60, account: 100 } as const

export interface Tried {
  account: string
  /** What the browser keeps from when it signed in before. */
  mark?: string | undefined
  /** It is signed in. */
  signInId?: string
}

/** What a try counts against, in the order of `most`: a browser of its own has the first of them. */
export type Buckets = readonly Buffer[]

/**
 * A try to prove with a password that one is this account, known or not. It counts before it is looked at, so that many
 * at once are no more than one after another; unless it is refused, it is given back. A browser that has signed in to the
 * account before has tries of its own: nobody else uses them up.
 */
export async function withinTries<T>(
  context: UseCase,
  tried: Tried,
  work: (buckets: Buckets) => Promise<T>,
): Promise<T> {
  const buckets = await inTransaction({ domain: context.domain }, async (tx) => {
    const theirs = await bucketsOf(tx, context, tried)
    await count(tx, theirs)
    return theirs
  })
  const giveBack = () =>
    inTransaction({ domain: context.domain }, (tx) => change(tx, buckets, { by: -1 }))
  try {
    const done = await work(buckets)
    await giveBack()
    return done
  } catch (error) {
    if (!isServiceError(error) || error.code !== 'forbidden') await giveBack()
    throw error
  }
}

/** Writes what stands there: who refuses for an unknown account takes as long as who has more to write. */
export function rewriteTries(tx: Tx, buckets: Buckets): Promise<void> {
  return change(tx, buckets, { by: 0 })
}

/** As MACs: what people type may be a password in the wrong field. */
async function bucketsOf(
  tx: Tx,
  { domain: { keys }, from = 'unknown' }: UseCase,
  { account, mark, signInId }: Tried,
): Promise<Buckets> {
  const own = signInId ?? (await readMark(tx, keys, { account, mark }))
  if (own !== undefined) return [keys.mac('tries', `browser ${own}`).mac]
  const name = account.trim().toLowerCase()
  const about = { pair: `${from} ${name}`, network: from, account: name }
  return Object.entries(about).map(([kind, what]) => keys.mac('tries', `${kind} ${what}`).mac)
}

async function count(tx: Tx, buckets: Buckets): Promise<void> {
  const limits = Object.values(most).slice(0, buckets.length)
  // in one order, so that no two wait for each other
  const { rows } = await sql<{ seconds: number }>`
    with given as (
      select * from unnest(${buckets}::bytea[], ${limits}::integer[]) as given(bucket, most)),
    counted as (
      insert into failed_sign_ins as f (bucket, failures, since)
      select bucket, 1, app.now() from given order by bucket
      on conflict (bucket) do update set
        failures = case when ${isRecent} then f.failures + 1 else 1 end,
        since = case when ${isRecent} then f.since else excluded.since end
      returning f.*)
    select extract(epoch from max(c.since) - app.now())::float + ${triesMinutes * 60} as seconds
      from counted c join given g using (bucket) where c.failures > g.most having count(*) > 0
    `.execute(tx)
  const [full] = rows
  if (!full) return
  const retryAfterSeconds = Math.max(1, Math.ceil(full.seconds))
  throw new ServiceError(
    'rate_limited',
    `Too many tries to sign in failed. Wait ${Math.ceil(retryAfterSeconds / 60)} minutes, then try again.`,
    { retryAfterSeconds },
  )
}

const isRecent = sql`f.since > app.now() - make_interval(mins => ${triesMinutes})`

async function change(tx: Tx, buckets: Buckets, { by }: { by: 0 | -1 }): Promise<void> {
  await sql`
    update failed_sign_ins set failures = greatest(0, failures + ${by}::integer)
     where bucket in (select bucket from failed_sign_ins where bucket = any(${buckets}::bytea[])
                       order by bucket for no key update)`.execute(tx)
}

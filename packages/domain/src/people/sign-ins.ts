import { randomBytes } from 'node:crypto'
import type { Queryable } from '@svc/db/database'
import { type SqlBool, sql } from 'kysely'
import { recordAuditOfPerson } from '../audit/record.ts'
import { channels } from '../jobs/wake-hub.ts'
import { newId } from '../common/ids.ts'
import type { KeyRing } from '../common/key-ring.ts'
import { type UnitOfWork, wakeAfterCommit } from '../commit/unit-of-work.ts'

/** A sign-in ends after so many days, however often it is used. */
const longestDays = 7
const idleHours = 12

export interface NewSignIn {
  userId: string
  /** What the browser calls itself. */
  browser: string
  from: string | undefined
  /** What it was proved by. */
  by: string
}

/** Every sign-in has a secret of its own, made here: none that a browser brought is ever taken over. */
export async function startSignIn(
  tx: UnitOfWork,
  keys: KeyRing,
  { userId, browser, from, by }: NewSignIn,
): Promise<{ id: string; secret: string }> {
  const secret = randomBytes(32).toString('base64url')
  const { kid, mac } = keys.mac('sign-ins', secret)
  const id = newId()
  const named = browserName(browser)
  await tx
    .insertInto('sign_ins')
    .values({
      id,
      user_id: userId,
      secret_hmac: mac,
      hmac_kid: kid,
      browser: named,
      network: from ?? null,
      expires_at: sql<Date>`app.now() + make_interval(days => ${longestDays})`,
    })
    .execute()
  const facts = {
    action: 'sign_in.started',
    targetId: id,
    details: { by, browser: named },
  } as const
  await recordAuditOfPerson(tx, { ...(from !== undefined && { from }) }, userId, facts)
  return { id, secret }
}

/** As much of it as tells one from another. */
export function browserName(browser: string): string {
  return browser.slice(0, 200)
}

/** Neither ended, nor too old, nor left alone for too long. */
export function signInsInForce(db: Queryable) {
  return db
    .selectFrom('sign_ins as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .where('s.ended_at', 'is', null)
    .where('s.expires_at', '>', sql<Date>`app.now()`)
    .where(isFresh)
    .where('u.disabled_at', 'is', null)
}

const isFresh = sql<SqlBool>`s.last_used_at > app.now() - make_interval(hours => ${idleHours})`

/** Dead for every request that starts after this commits. `except`: the one that stays. */
export async function endSignIns(
  tx: UnitOfWork,
  userId: string,
  which: { only?: string; except?: string } = {},
): Promise<number> {
  let ending = tx
    .updateTable('sign_ins')
    .set({ ended_at: sql<Date>`app.now()` })
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
  if (which.only !== undefined) ending = ending.where('id', '=', which.only)
  if (which.except !== undefined) ending = ending.where('id', '!=', which.except)
  const { numUpdatedRows } = await ending.executeTakeFirst()
  if (numUpdatedRows > 0n) wakeAfterCommit(tx, channels.access, userId)
  return Number(numUpdatedRows)
}

import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Tx } from '@svc/db/database'
import { sql } from 'kysely'
import type { KeyRing } from '../common/key-ring.ts'

/** How many days a browser is known after it has signed in. */
export const knownDays = 90

/**
 * What a browser keeps that has signed in to an account, so that whoever guesses at the account cannot keep it out. It opens
 * nothing: it only has tries of its own. Nothing is stored of it.
 */
export async function markBrowser(tx: Tx, keys: KeyRing, account: string): Promise<string> {
  const { rows } = await sql<{ until: number }>`
    select extract(epoch from app.now() + make_interval(days => ${knownDays}))::float as until`.execute(
    tx,
  )
  const about = `${Math.floor(rows[0]?.until ?? 0)}.${randomBytes(16).toString('base64url')}`
  const { mac } = keys.mac('known-browsers', `${about} ${nameOf(account)}`)
  return `${about}.${mac.toString('base64url')}`
}

/** Which browser it is, if it has signed in to this account and not too long ago. */
export async function readMark(
  tx: Tx,
  keys: KeyRing,
  { account, mark = '' }: { account: string; mark: string | undefined },
): Promise<string | undefined> {
  const [, about = '', until = '', given = ''] =
    /^((\d{1,12})\.[\w-]{22})\.([\w-]{43})$/.exec(mark) ?? []
  const bytes = Buffer.from(given, 'base64url')
  const isOurs = keys
    .macs('known-browsers', `${about} ${nameOf(account)}`)
    .some(({ mac }) => mac.length === bytes.length && timingSafeEqual(mac, bytes))
  if (!isOurs) return undefined
  const { rows } = await sql`
    select where app.now() < to_timestamp(${Number(until)}::float)`.execute(tx)
  return rows.length > 0 ? about : undefined
}

/** As an address is looked up. */
function nameOf(account: string): string {
  return account.trim().toLowerCase()
}

import { ServiceError } from '@svc/contracts/errors'
import { EmailAddress } from '@svc/contracts/member'
import type { Queryable, Tx } from '@svc/db/database'
import { sql } from 'kysely'
import { recordAuditOfPerson } from '../audit/record.ts'
import { inTransaction } from '../commit/transaction.ts'
import type { Domain } from '../domain.ts'
import { validationFailed } from '../common/errors.ts'
import type { UseCase } from '../use-case.ts'
import { markBrowser } from './known-browser.ts'
import { hashNewPassword, storePassword } from './passwords.ts'
import { startSignIn } from './sign-ins.ts'
import { hashSecret, newSecret } from '../common/secrets.ts'

/** The secret of a link for this person, in place of any before; null once anybody has a credential. Decision 50. */
export async function openSetUp(tx: Tx, userId: string): Promise<string | null> {
  const { secret, hash } = newSecret()
  const { rows } = await sql`
    insert into setup_link (user_id, secret_hash)
    select ${userId}, ${hash} where ${nobodyHasCredentials}
    on conflict (is_only) do update
      set user_id = excluded.user_id, secret_hash = excluded.secret_hash, created_at = app.now()
    returning user_id`.execute(tx)
  return rows.length === 0 ? null : secret
}

/** The path of the link, to be joined to the service's own address. */
export function setUpPath(secret: string): string {
  return `/setup?${new URLSearchParams({ token: secret }).toString()}`
}

/** Whose link it is. */
export async function findSetUp(
  { db }: Domain,
  secret: string,
): Promise<{ name: string; email: string }> {
  const found = await linksOf(db, secret)
    .innerJoin('users as u', 'u.id', 'l.user_id')
    .select(['u.name', 'u.email'])
    .where('u.disabled_at', 'is', null)
    .executeTakeFirst()
  if (!found) throw noSuchLink()
  return found
}

export interface SetUp {
  secret: string
  name: string
  /** By which they sign in from now on; undefined: the one that their membership was made with. */
  email?: string | undefined
  /** Undefined where nobody signs in by one. */
  password: string | undefined
  /** What the browser calls itself. */
  browser: string
}

/** The first owner takes the account that was made for them. Of many at once one does. */
export async function setUpOwner(
  context: UseCase,
  given: SetUp,
): Promise<{ secret: string; mark: string }> {
  const { domain, from } = context
  const name = given.name.trim()
  const known = await findSetUp(domain, given.secret)
  const email = addressOf(given.email ?? known.email, known.email)
  if (name === '' || name.length > 200) throw validationFailed('name', 'give 1 to 200 characters')
  const hash =
    given.password === undefined ? undefined : await hashNewPassword(given.password, [name, email])
  return inTransaction(context, async (tx) => {
    const userId = await useUp(tx, given.secret)
    await storePerson(tx, userId, { name, email })
    if (hash !== undefined) await storePassword(tx, userId, hash)
    await recordAuditOfPerson(tx, context, userId, {
      action: 'owner.set_up',
      targetId: userId,
      details: { name, email },
    })
    const { browser } = given
    const started = await startSignIn(tx, domain.keys, { userId, browser, from, by: 'set-up link' })
    return { secret: started.secret, mark: await markBrowser(tx, domain.keys, email) }
  })
}

/** The one that was made on the server stands as it is: it may be of a machine alone, as owner@localhost is. */
function addressOf(given: string, known: string): string {
  if (given.trim() === known) return known
  const address = EmailAddress.safeParse(given)
  if (!address.success) throw validationFailed('email', 'give an e-mail address')
  return address.data
}

async function storePerson(
  tx: Tx,
  userId: string,
  { name, email }: { name: string; email: string },
) {
  const { rows } = await sql`
    update users set name = ${name}, email = ${email}
     where id = ${userId}
       and not exists (select from users k where lower(k.email) = lower(${email}) and k.id <> ${userId})
    returning id`.execute(tx)
  if (rows.length === 0) throw validationFailed('email', 'somebody else has it: give another')
}

async function useUp(tx: Tx, secret: string): Promise<string> {
  const { rows } = await sql<{ user_id: string }>`
    delete from setup_link where secret_hash = ${hashSecret(secret)} and ${nobodyHasCredentials}
    returning user_id`.execute(tx)
  if (!rows[0]) throw noSuchLink()
  return rows[0].user_id
}

/** One that is closed for good. */
export async function removeClosedSetUp(tx: Tx): Promise<void> {
  await sql`delete from setup_link where not (${nobodyHasCredentials})`.execute(tx)
}

const nobodyHasCredentials = sql<boolean>`
  not exists (select from user_passwords) and not exists (select from user_identities)`

function linksOf(db: Queryable, secret: string) {
  return db
    .selectFrom('setup_link as l')
    .where('l.secret_hash', '=', hashSecret(secret))
    .where(nobodyHasCredentials)
}

function noSuchLink(): ServiceError {
  return new ServiceError(
    'not_found',
    'This link is no longer good: it was used, replaced by a newer one, or somebody can sign in already.',
  )
}

import type { HeldAccess } from '@svc/contracts/held-access'
import { rolePermissions } from '@svc/contracts/permissions'
import type { Queryable, Tx } from '@svc/db/database'
import type { ResetLinkRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { recordAuditOfPerson } from '../audit/record.ts'
import { inTransaction } from '../commit/transaction.ts'
import type { Domain } from '../domain.ts'
import { endTokensOf, listHeldAccess } from '../people/access/held-access.ts'
import { markBrowser } from '../people/known-browser.ts'
import { proveAddress } from '../people/addresses.ts'
import { linkIsGone } from '../people/links.ts'
import { hashSecret } from '../common/secrets.ts'
import { hashNewPassword, storePassword } from '../people/passwords.ts'
import { endSignIns, startSignIn } from '../people/sign-ins.ts'
import type { UseCase } from '../use-case.ts'
import { roleOf } from './lock-members.ts'
import { membershipsOf } from './reset-links.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'

/** Whose account a link resets, and what that ends; `not_found` once it is no longer good. */
export async function findResetLink(
  { db }: Domain,
  secret: string,
): Promise<{ userId: string; name: string; email: string; held: HeldAccess }> {
  const { id: userId, name, email } = await requirePerson(db, secret)
  return { userId, name, email, held: await listHeldAccess(db, userId) }
}

async function requirePerson(db: Queryable, secret: string) {
  const found = await db
    .selectFrom('reset_links as l')
    .innerJoin('users as u', 'u.id', 'l.user_id')
    .select(['u.id', 'u.name', 'u.email'])
    .where('l.secret_hash', '=', hashSecret(secret))
    .where('l.expires_at', '>', sql<Date>`app.now()`)
    .where('u.disabled_at', 'is', null)
    .executeTakeFirst()
  if (!found) throw linkIsGone()
  return found
}

/**
 * Nothing that anybody held before lets them in as this person or act for them any more; who has the link is in. Where
 * nobody signs in by a password they have none from now on, and link an account at a provider while they are in.
 */
export async function resetAccount(
  context: UseCase,
  secret: string,
  { newPassword, browser }: { newPassword: string; browser: string },
): Promise<{ secret: string; mark: string }> {
  const { domain, from } = context
  const { name, email } = await requirePerson(domain.db, secret)
  const hash = domain.passwordLogin ? await hashNewPassword(newPassword, [name, email]) : undefined
  return inTransaction(context, async (tx) => {
    const link = await takeResetLink(tx, secret)
    const { user_id: userId } = link
    await setPassword(tx, userId, hash)
    const { sessions, identities } = await endWaysIn(tx, userId)
    await endTokensOf(tx, context, userId)
    await requireStillMeant(tx, link)
    // an admin's word proves nothing: anybody is the admin of a workspace of their own
    if (link.made_by === null) await proveAddress(tx, userId, email)
    const details = { name, sessions, identities }
    const facts = { action: 'password.reset', targetId: userId, details } as const
    await recordAuditOfPerson(tx, context, userId, facts)
    const started = await startSignIn(tx, domain.keys, { userId, browser, from, by: 'reset link' })
    return { secret: started.secret, mark: await markBrowser(tx, domain.keys, email) }
  })
}

/**
 * An identity that signs somebody in is held until that has happened, and a sign-in that links one is, too: either may leave
 * one more of the other, so it is over once there is neither.
 */
async function endWaysIn(tx: UnitOfWork, userId: string) {
  const identities: { issuer: string; subject: string }[] = []
  let sessions = 0
  for (;;) {
    const unlinked = await unlinkAll(tx, userId)
    const ended = await endSignIns(tx, userId)
    if (unlinked.length === 0 && ended === 0) return { sessions, identities }
    identities.push(...unlinked)
    sessions += ended
  }
}

function unlinkAll(tx: Tx, userId: string) {
  return tx
    .deleteFrom('user_identities')
    .where('user_id', '=', userId)
    .returning(['issuer', 'subject'])
    .execute()
}

/** The old one is of whoever had the account. */
async function setPassword(tx: Tx, userId: string, hash: string | undefined): Promise<void> {
  if (hash !== undefined) return storePassword(tx, userId, hash)
  await tx.deleteFrom('user_passwords').where('user_id', '=', userId).execute()
}

async function takeResetLink(tx: Tx, secret: string): Promise<ResetLinkRow> {
  const link = await tx
    .deleteFrom('reset_links')
    .where('secret_hash', '=', hashSecret(secret))
    .where('expires_at', '>', sql<Date>`app.now()`)
    .returningAll()
    .executeTakeFirst()
  if (!link) throw linkIsGone()
  return link
}

async function requireStillMeant(tx: Tx, link: ResetLinkRow): Promise<void> {
  // whoever becomes a member anywhere waits for this, by the foreign key
  const { rows } = await sql`
    select from users where id = ${link.user_id} and disabled_at is null for update`.execute(tx)
  if (rows.length === 0 || !(await isStillMeant(tx, link))) throw linkIsGone()
}

/** An admin may have lost the right meanwhile, and the person may have become an owner or joined another workspace. */
async function isStillMeant(
  tx: Tx,
  { user_id: userId, made_in: workspaceId, made_by: madeBy }: ResetLinkRow,
): Promise<boolean> {
  if (workspaceId === null || madeBy === null) return true
  const maker = await roleOf(tx, { workspaceId, userId: madeBy })
  const [membership, ...others] = await membershipsOf(tx, userId)
  if (maker === undefined || membership?.workspace_id !== workspaceId) return false
  const mayReset = rolePermissions[maker].includes('member:update')
  return mayReset && others.length === 0 && (membership.role !== 'owner' || maker === 'owner')
}

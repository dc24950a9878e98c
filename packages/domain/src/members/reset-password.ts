import { rolePermissions } from '@svc/contracts/permissions'
import type { Tx } from '@svc/db/database'
import type { ResetLinkRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { recordAuditOfPerson } from '../audit/record.ts'
import { inTransaction } from '../commit/transaction.ts'
import type { Domain } from '../domain.ts'
import { linkIsGone } from '../people/links.ts'
import { hashSecret } from '../secrets.ts'
import { hashNewPassword, storePassword } from '../people/passwords.ts'
import { endSignIns, startSignIn } from '../people/sign-ins.ts'
import type { UseCase } from '../use-case.ts'
import { roleOf } from './hold.ts'
import { membershipsOf } from './reset-links.ts'

/** Whose password a link sets; `not_found` once it is no longer good. */
export async function findResetLink(
  { db }: Domain,
  secret: string,
): Promise<{ name: string; email: string }> {
  const found = await db
    .selectFrom('reset_links as l')
    .innerJoin('users as u', 'u.id', 'l.user_id')
    .select(['u.name', 'u.email'])
    .where('l.secret_hash', '=', hashSecret(secret))
    .where('l.expires_at', '>', sql<Date>`app.now()`)
    .where('u.disabled_at', 'is', null)
    .executeTakeFirst()
  if (!found) throw linkIsGone()
  return found
}

/** Whoever was signed in as the person is out; who has the link is in. */
export async function resetPassword(
  context: UseCase,
  secret: string,
  { newPassword, browser }: { newPassword: string; browser: string },
): Promise<{ secret: string }> {
  const { domain, from } = context
  const { name, email } = await findResetLink(domain, secret)
  const hash = await hashNewPassword(newPassword, [name, email])
  return inTransaction(context, async (tx) => {
    const userId = await takeResetLink(tx, secret)
    await storePassword(tx, userId, hash)
    await endSignIns(tx, userId)
    const facts = { action: 'password.reset', targetId: userId, details: { name } } as const
    await recordAuditOfPerson(tx, context, userId, facts)
    return startSignIn(tx, domain.keys, { userId, browser, from, by: 'reset link' })
  })
}

async function takeResetLink(tx: Tx, secret: string): Promise<string> {
  const link = await tx
    .deleteFrom('reset_links')
    .where('secret_hash', '=', hashSecret(secret))
    .where('expires_at', '>', sql<Date>`app.now()`)
    .returningAll()
    .executeTakeFirst()
  if (!link) throw linkIsGone()
  // whoever becomes a member anywhere waits for this, by the foreign key
  const { rows } = await sql`
    select from users where id = ${link.user_id} and disabled_at is null for update`.execute(tx)
  if (rows.length === 0 || !(await isStillMeant(tx, link))) throw linkIsGone()
  return link.user_id
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

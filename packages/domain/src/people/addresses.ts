import type { Tx } from '@svc/db/database'
import { sql } from 'kysely'
import { recordAuditOfPerson } from '../audit/record.ts'
import { newId } from '../common/ids.ts'
import type { UseCase } from '../use-case.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'

/** RFC 2606: no mail ever reaches it. */
const nowhere = 'no-address.invalid'

/** It signs in by what it was given in place of an address. */
export function isWithoutAddress(email: string): boolean {
  return email.endsWith(`@${nowhere}`)
}

/** Said of somebody by a provider whose domain the operator listed, or by the operator. Decision 50. */
export async function proveAddress(tx: Tx, userId: string, email: string): Promise<void> {
  await sql`
    update users set email_proven_at = app.now()
     where id = ${userId} and lower(email) = ${email.toLowerCase()}
       and email_proven_at is null`.execute(tx)
}

export interface AddressHolder {
  id: string
  email: string
  name: string
  /** They have proven it, are disabled, or were made on the server and have not come yet. */
  keepsIt: boolean
}

/** Whoever else asks for the address waits until this transaction is over. */
export async function lockHolderOf(tx: Tx, email: string): Promise<AddressHolder | undefined> {
  const { rows } = await sql<AddressHolder>`
    select u.id, u.email, u.name,
           u.email_proven_at is not null or u.disabled_at is not null
             or exists (select from setup_link l where l.user_id = u.id
                         and not exists (select from user_passwords)
                         and not exists (select from user_identities)) as "keepsIt"
      from users u where lower(u.email) = ${email.toLowerCase()} for no key update of u`.execute(tx)
  return rows[0]
}

/**
 * In its place the account gets a name to sign in by that nobody could take before. A link to a new password goes: it was
 * asked for whoever the address is of. The admins of that person's workspaces learn by which provider it was proven, and
 * nothing of whose account it became, which may be of another workspace.
 */
export async function releaseAddress(
  tx: UnitOfWork,
  context: UseCase,
  { id, email, name }: AddressHolder,
  provider: string,
): Promise<void> {
  await sql`update users set email = ${`${newId()}@${nowhere}`} where id = ${id}`.execute(tx)
  await sql`delete from reset_links where user_id = ${id}`.execute(tx)
  await recordAuditOfPerson(tx, context, id, {
    action: 'email.released',
    targetId: id,
    details: { name, email, provider },
    isProven: false,
  })
}

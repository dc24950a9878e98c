import { ServiceError } from '@svc/contracts/errors'
import type { RouteInput } from '@svc/contracts/rest'
import type { Tx } from '@svc/db/database'
import { sql } from 'kysely'
import { recordAuditOfPerson } from '../audit/record.ts'
import { inTransaction } from '../commit/transaction.ts'
import type { Domain } from '../domain.ts'
import type { UseCase } from '../use-case.ts'
import type { Person } from '../entities/people/person.ts'
import { endSignIns } from './sign-ins.ts'

/** Nobody signs in by it any more, and whoever else is signed in is out. The last way to sign in stays. */
export function unlinkIdentity(
  context: UseCase,
  { userId, signIn }: Person,
  { id }: RouteInput<'unlinkIdentity'>,
): Promise<undefined> {
  return inTransaction(context, async (tx) => {
    // two at once would each leave the other
    await sql`select from users where id = ${userId} for no key update`.execute(tx)
    const unlinked = await tx
      .deleteFrom('user_identities')
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .returning(['issuer', 'subject'])
      .executeTakeFirst()
    if (!unlinked) throw new ServiceError('not_found', `No linked account ${id} of yours.`)
    const { issuer, subject } = unlinked
    await requireWayIn(tx, context.domain, { userId, issuer })
    await endSignIns(tx, userId, { except: signIn.id })
    await recordAuditOfPerson(tx, context, userId, {
      action: 'identity.unlinked',
      targetId: userId,
      details: { issuer, subject },
    })
    return undefined
  })
}

/** What is linked to a provider that nobody signs in by here any more is no way in, and none is lost with it. */
async function requireWayIn(
  tx: Tx,
  { passwordLogin, issuers }: Domain,
  { userId, issuer }: { userId: string; issuer: string },
): Promise<void> {
  if (!issuers.includes(issuer)) return
  const { rows } = await sql`
    select from user_passwords where user_id = ${userId} and ${passwordLogin}
    union all
    select from user_identities where user_id = ${userId} and issuer = any(${issuers}::text[])
    limit 1`.execute(tx)
  if (rows.length > 0) return
  throw new ServiceError(
    'forbidden',
    passwordLogin
      ? 'You sign in by this account alone: link another one first, or have a password set by a link of an admin. Nothing was changed.'
      : 'You sign in by this account alone: link another one first. Nothing was changed.',
  )
}

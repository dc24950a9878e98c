import { ServiceError } from '@svc/contracts/errors'
import type { RouteInput } from '@svc/contracts/rest'
import type { Tx } from '@svc/db/database'
import { type SqlBool, sql } from 'kysely'
import { recordAuditOfPerson } from '../audit/record.ts'
import { isTaken } from '../commit/failures.ts'
import { inTransaction } from '../commit/transaction.ts'
import type { Domain } from '../domain.ts'
import type { UseCase } from '../use-case.ts'
import { withinTries } from './failed-sign-ins.ts'
import { findPassword, holdPassword, requirePassword } from './passwords.ts'
import type { Person } from './person.ts'

/** For so long a sign-in is itself the proof of who it is, where there is no password. */
const newMinutes = 10

/** By which they sign in from now on. What is refused counts as a failed sign-in: nobody tries who else is here. */
export function changeEmail(
  context: UseCase,
  person: Person,
  input: RouteInput<'changeEmail'>,
): Promise<undefined> {
  return withinTries(context, person.email, () =>
    change(context, person, input).catch((error: unknown) => {
      throw isTaken(error) ? cannotBeTheirs() : error
    }),
  )
}

async function change(
  context: UseCase,
  person: Person,
  { email, currentPassword = '' }: RouteInput<'changeEmail'>,
): Promise<undefined> {
  const { userId } = person
  const hash = await prove(context.domain, person, currentPassword)
  return inTransaction(context, async (tx) => {
    if (hash !== undefined) await holdPassword(tx, userId, hash)
    const from = await storeEmail(tx, userId, email)
    if (from === email) return undefined
    await recordAuditOfPerson(tx, context, userId, {
      action: 'email.changed',
      targetId: userId,
      details: { from, to: email },
    })
    return undefined
  })
}

/** Answers the hash of the password that proved it. */
async function prove(
  domain: Domain,
  { userId, signIn }: Person,
  currentPassword: string,
): Promise<string | undefined> {
  const hasPassword = domain.passwordLogin && (await findPassword(domain, userId)) !== undefined
  if (hasPassword) return requirePassword(domain, userId, currentPassword)
  const isNew = await domain.db
    .selectFrom('sign_ins')
    .select('id')
    .where('id', '=', signIn.id)
    .where(sql<SqlBool>`created_at > app.now() - make_interval(mins => ${newMinutes})`)
    .executeTakeFirst()
  if (isNew) return undefined
  throw new ServiceError(
    'forbidden',
    `Sign out, sign in again, and change the address within ${newMinutes} minutes. Nothing was changed.`,
  )
}

/** Answers the one from before. */
async function storeEmail(tx: Tx, userId: string, email: string): Promise<string> {
  const { rows } = await sql<{ before: string }>`
    update users u set email = ${email}
      from (select id, email from users where id = ${userId} for no key update) held
     where u.id = held.id
    returning held.email as before`.execute(tx)
  return rows[0]?.before ?? email
}

function cannotBeTheirs(): ServiceError {
  return new ServiceError(
    'forbidden',
    'This address cannot be yours here. Give another one. Nothing was changed.',
  )
}

import { ServiceError } from '@svc/contracts/errors'
import type { RouteInput } from '@svc/contracts/rest'
import { recordAuditOfPerson } from '../audit/record.ts'
import { inTransaction } from '../commit/transaction.ts'
import type { UseCase } from '../use-case.ts'
import { withinTries } from './failed-sign-ins.ts'
import { verifyPassword } from './hash-password.ts'
import { hashNewPassword, requirePasswordLogin, storePassword } from './passwords.ts'
import type { Person } from '../entities/people/person.ts'
import { endSignIns } from './sign-ins.ts'

/** Whoever else was signed in with the old one is out. A wrong one counts as a failed sign-in. */
export async function changePassword(
  context: UseCase,
  person: Person,
  input: RouteInput<'changePassword'>,
): Promise<undefined> {
  requirePasswordLogin(context.domain)
  const tried = { account: person.email, signInId: person.signIn.id }
  return withinTries(context, tried, () => change(context, person, input))
}

async function change(
  context: UseCase,
  { userId, userName, email, signIn }: Person,
  { currentPassword, newPassword }: RouteInput<'changePassword'>,
): Promise<undefined> {
  const known = await context.domain.db
    .selectFrom('user_passwords')
    .select('hash')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  const stored = known?.hash ?? null
  const { isRight } = await verifyPassword(stored, currentPassword)
  // sent again, it was done by the first
  if (!isRight && (await verifyPassword(stored, newPassword)).isRight) return undefined
  if (!known || !isRight) throw notTheCurrent()
  const hash = await hashNewPassword(newPassword, [userName, email])
  return inTransaction(context, async (tx) => {
    const held = await tx
      .selectFrom('user_passwords')
      .select('user_id')
      .where('user_id', '=', userId)
      .where('hash', '=', known.hash)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!held) throw notTheCurrent()
    await storePassword(tx, userId, hash)
    await endSignIns(tx, userId, { except: signIn.id })
    await recordAuditOfPerson(tx, context, userId, {
      action: 'password.changed',
      targetId: userId,
      details: {},
    })
    return undefined
  })
}

function notTheCurrent(): ServiceError {
  return new ServiceError('forbidden', 'The current password is another one. Nothing was changed.')
}

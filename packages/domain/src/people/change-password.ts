import type { RouteInput } from '@svc/contracts/rest'
import { recordAuditOfPerson } from '../audit/record.ts'
import { inTransaction } from '../commit/transaction.ts'
import type { UseCase } from '../use-case.ts'
import { withinTries } from './failed-sign-ins.ts'
import {
  hashNewPassword,
  holdPassword,
  requirePassword,
  requirePasswordLogin,
  storePassword,
} from './passwords.ts'
import type { Person } from './person.ts'
import { endSignIns } from './sign-ins.ts'

/** Whoever else was signed in with the old one is out. A wrong one counts as a failed sign-in. */
export async function changePassword(
  context: UseCase,
  person: Person,
  input: RouteInput<'changePassword'>,
): Promise<undefined> {
  requirePasswordLogin(context.domain)
  return withinTries(context, person.email, () => change(context, person, input))
}

async function change(
  context: UseCase,
  { userId, userName, email, signIn }: Person,
  { currentPassword, newPassword }: RouteInput<'changePassword'>,
): Promise<undefined> {
  const known = await requirePassword(context.domain, userId, currentPassword)
  const hash = await hashNewPassword(newPassword, [userName, email])
  return inTransaction(context, async (tx) => {
    await holdPassword(tx, userId, known)
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

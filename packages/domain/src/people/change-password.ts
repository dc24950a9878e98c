import { ServiceError } from '@svc/contracts/errors'
import type { RouteInput } from '@svc/contracts/rest'
import { inTransaction } from '../commit/transaction.ts'
import type { UseCase } from '../use-case.ts'
import { verifyPassword } from './hash-password.ts'
import { hashNewPassword, storePassword } from './passwords.ts'
import type { Person } from './person.ts'
import { endSignIns } from './sign-ins.ts'

/** Whoever else was signed in with the old one is out. */
export async function changePassword(
  context: UseCase,
  { userId, userName, email, signIn }: Person,
  { currentPassword, newPassword }: RouteInput<'changePassword'>,
): Promise<undefined> {
  const known = await context.domain.db
    .selectFrom('user_passwords')
    .select('hash')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  const { isRight } = await verifyPassword(known?.hash ?? null, currentPassword)
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
    return undefined
  })
}

function notTheCurrent(): ServiceError {
  return new ServiceError('forbidden', 'The current password is another one. Nothing was changed.')
}

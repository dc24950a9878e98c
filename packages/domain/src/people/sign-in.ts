import { ServiceError } from '@svc/contracts/errors'
import type { Domain } from '../domain.ts'
import { inTransaction } from '../commit/transaction.ts'
import type { UseCase } from '../use-case.ts'
import { hashPassword, verifyPassword } from './hash-password.ts'
import { startSignIn } from './sign-ins.ts'

export interface PasswordSignIn {
  email: string
  password: string
  /** What the browser calls itself. */
  browser: string
}

/** Whatever is wrong, it is one answer, and it takes as long for somebody unknown. */
export async function signInByPassword(
  context: UseCase,
  { email, password, browser }: PasswordSignIn,
): Promise<{ userId: string; secret: string }> {
  const known = await findPassword(context.domain, email)
  const { isRight, isOutdated } = await verifyPassword(known?.hash ?? null, password)
  if (!known || !isRight) throw wrongPassword()
  const renewed = isOutdated ? await hashPassword(password) : undefined
  return inTransaction(context, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('user_passwords')
      .set({ hash: renewed ?? known.hash })
      .where('user_id', '=', known.userId)
      .where('hash', '=', known.hash)
      .executeTakeFirst()
    // changed since it was read
    if (numUpdatedRows === 0n) throw wrongPassword()
    const { domain, from } = context
    const { secret } = await startSignIn(tx, domain.keys, { userId: known.userId, browser, from })
    return { userId: known.userId, secret }
  })
}

function wrongPassword(): ServiceError {
  return new ServiceError(
    'forbidden',
    'That e-mail address and password do not belong together. Try again, or ask an admin for a link to set a new password.',
  )
}

async function findPassword({ db }: Domain, email: string) {
  const row = await db
    .selectFrom('user_passwords as p')
    .innerJoin('users as u', 'u.id', 'p.user_id')
    .select(['u.id', 'p.hash'])
    .where((where) => where.fn('lower', ['u.email']), '=', email.trim().toLowerCase())
    .where('u.disabled_at', 'is', null)
    .executeTakeFirst()
  return row && { userId: row.id, hash: row.hash }
}

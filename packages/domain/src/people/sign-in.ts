import { ServiceError } from '@svc/contracts/errors'
import { recordAuditOfPerson } from '../audit/record.ts'
import { inTransaction, refuseAfterCommit } from '../commit/transaction.ts'
import type { Domain } from '../domain.ts'
import type { UseCase } from '../use-case.ts'
import { type Buckets, rewriteTries, withinTries } from './failed-sign-ins.ts'
import { hashPassword, verifyPassword } from './hash-password.ts'
import { markBrowser } from './known-browser.ts'
import { requirePasswordLogin } from './passwords.ts'
import { browserName, startSignIn } from './sign-ins.ts'

export interface PasswordSignIn {
  email: string
  password: string
  /** What the browser calls itself. */
  browser: string
  /** What it keeps from when it signed in before. */
  mark?: string | undefined
}

export interface SignedIn {
  userId: string
  secret: string
  /** Kept by the browser for the next time. */
  mark: string
}

/** Whatever is wrong, it is one answer, and it takes as long for somebody unknown. */
export async function signInByPassword(context: UseCase, given: PasswordSignIn): Promise<SignedIn> {
  requirePasswordLogin(context.domain)
  const { email: account, mark } = given
  return withinTries(context, { account, mark }, (buckets) => signIn(context, given, buckets))
}

async function signIn(
  context: UseCase,
  { email, password, browser }: PasswordSignIn,
  buckets: Buckets,
): Promise<SignedIn> {
  const known = await findAccount(context.domain, email)
  const { isRight, isOutdated } = await verifyPassword(known?.hash ?? null, password)
  if (!known || !isRight) return refuse(context, known, { browser, buckets })
  const { userId, hash } = known
  const renewed = isOutdated ? await hashPassword(password) : undefined
  return inTransaction(context, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('user_passwords')
      .set({ hash: renewed ?? hash ?? '' })
      .where('user_id', '=', userId)
      .where('hash', '=', hash ?? '')
      .executeTakeFirst()
    // changed since it was read
    if (numUpdatedRows === 0n) throw wrongPassword()
    const { domain, from } = context
    const { secret } = await startSignIn(tx, domain.keys, { userId, browser, from, by: 'password' })
    return { userId, secret, mark: await markBrowser(tx, domain.keys, email) }
  })
}

function refuse(
  context: UseCase,
  known: { userId: string; name: string } | undefined,
  { browser, buckets }: { browser: string; buckets: Buckets },
): Promise<never> {
  return inTransaction(context, async (tx) => {
    await rewriteTries(tx, buckets)
    if (known) {
      const { userId, name } = known
      await recordAuditOfPerson(tx, context, userId, {
        action: 'sign_in.failed',
        targetId: userId,
        details: { name, browser: browserName(browser) },
        isProven: false,
      })
    }
    return refuseAfterCommit(wrongPassword())
  })
}

function wrongPassword(): ServiceError {
  return new ServiceError(
    'forbidden',
    'That e-mail address and password do not belong together. Try again, or ask an admin for a link to set a new password.',
  )
}

/** Whether or not they have a password. */
async function findAccount({ db }: Domain, email: string) {
  const row = await db
    .selectFrom('users as u')
    .leftJoin('user_passwords as p', 'p.user_id', 'u.id')
    .select(['u.id', 'u.name', 'p.hash'])
    .where((where) => where.fn('lower', ['u.email']), '=', email.trim().toLowerCase())
    .where('u.disabled_at', 'is', null)
    .executeTakeFirst()
  return row && { userId: row.id, name: row.name, hash: row.hash }
}

import { ServiceError } from '@svc/contracts/errors'
import { NewPassword } from '@svc/contracts/sign-in'
import type { Tx } from '@svc/db/database'
import { sql } from 'kysely'
import type { Domain } from '../domain.ts'
import { validationFailed } from '../common/errors.ts'
import { hashPassword } from './hash-password.ts'

/** What is guessed first, as whole passwords or repeated. */
const common = ['password', 'passwort', 'qwertyuiop', '1234567890', 'letmein', 'iloveyou', 'svc']

/** Its hash, or a refusal that says what to use. `about`: what of the person it must not be made of. */
export async function hashNewPassword(password: string, about: readonly string[]): Promise<string> {
  const [wrong] = NewPassword.safeParse(password).error?.issues ?? []
  if (wrong) throw validationFailed('newPassword', wrong.message)
  const plain = password.toLowerCase().replaceAll(/[\s._-]/g, '')
  const words = [...common, ...about.map((one) => one.toLowerCase().replaceAll(/[\s._-]/g, ''))]
  const isGuessed = words.some((word) => word !== '' && plain.replaceAll(word, '').length < 5)
  if (isGuessed || new Set(plain).size < 5) {
    throw validationFailed('newPassword', 'this one is guessed too soon; use a phrase of words')
  }
  return hashPassword(password)
}

/**
 * A link to a new one stays good: else whoever has got hold of the account would undo its reset by setting a password.
 */
export async function storePassword(tx: Tx, userId: string, hash: string): Promise<void> {
  await sql`
    insert into user_passwords (user_id, hash) values (${userId}, ${hash})
    on conflict (user_id) do update set hash = excluded.hash, changed_at = app.now()`.execute(tx)
}

/** Nobody signs in by a password where the operator has turned it off, nor changes one. */
export function requirePasswordLogin({ passwordLogin }: Domain): void {
  if (passwordLogin) return
  throw new ServiceError('forbidden', 'Passwords are turned off here. Sign in by a provider.')
}

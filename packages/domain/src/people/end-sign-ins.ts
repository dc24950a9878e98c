import { ServiceError } from '@svc/contracts/errors'
import type { RouteInput } from '@svc/contracts/rest'
import { inTransaction } from '../commit/transaction.ts'
import type { UseCase } from '../use-case.ts'
import type { Person } from './person.ts'
import { endSignIns as end } from './sign-ins.ts'

/** One that has ended already is as good as ended now. */
export function endSignIn(
  context: UseCase,
  { userId }: Person,
  { id }: RouteInput<'endSignIn'>,
): Promise<undefined> {
  return inTransaction(context, async (tx) => {
    const ended = await end(tx, userId, { only: id })
    if (ended > 0) return undefined
    const known = await tx
      .selectFrom('sign_ins')
      .select('id')
      .where('user_id', '=', userId)
      .where('id', '=', id)
      .executeTakeFirst()
    if (!known) throw new ServiceError('not_found', `No session ${id} of yours.`)
    return undefined
  })
}

export function endSignIns(context: UseCase, { userId }: Person): Promise<undefined> {
  return inTransaction(context, async (tx) => {
    await end(tx, userId)
    return undefined
  })
}

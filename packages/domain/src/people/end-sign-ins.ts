import { ServiceError } from '@svc/contracts/errors'
import type { RouteInput } from '@svc/contracts/rest'
import { recordAuditOfPerson } from '../audit/record.ts'
import { inTransaction } from '../commit/transaction.ts'
import type { UseCase } from '../use-case.ts'
import type { Person } from '../entities/people/person.ts'
import { endSignIns as end } from './sign-ins.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'

/** One that has ended already is as good as ended now. */
export function endSignIn(
  context: UseCase,
  { userId }: Pick<Person, 'userId'>,
  { id }: RouteInput<'endSignIn'>,
): Promise<undefined> {
  return inTransaction(context, async (tx) => {
    const ended = await end(tx, userId, { only: id })
    if (ended > 0) return recordEnd(tx, context, userId, { targetId: id, ended })
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
    const ended = await end(tx, userId)
    return ended > 0 ? recordEnd(tx, context, userId, { targetId: userId, ended }) : undefined
  })
}

/** Ends the sign-in of the browser that asks. */
export function signOut(context: UseCase, { userId, signIn }: Person): Promise<undefined> {
  return endSignIn(context, { userId }, { id: signIn.id })
}

async function recordEnd(
  tx: UnitOfWork,
  context: UseCase,
  userId: string,
  { targetId, ended }: { targetId: string; ended: number },
): Promise<undefined> {
  await recordAuditOfPerson(tx, context, userId, {
    action: 'sign_in.ended',
    targetId,
    details: { ended },
  })
  return undefined
}

import { ServiceError } from '@svc/contracts/errors'
import type { Tx } from '@svc/db/database'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { inTransaction } from '../commit/transaction.ts'
import type { Person } from '../entities/people/person.ts'
import type { UseCase } from '../use-case.ts'
import { lockMinter } from '../user-tokens/create.ts'
import { byHandle, lockByHandle } from './queries.ts'

export interface AskedLogin {
  /** `over`: too old, burnt, or decided by somebody else. */
  state: 'open' | 'approved' | 'denied' | 'over'
  code: string
  device: string
  from: string
}

/** What the page of a login request shows to this person. */
export async function readLoginRequest(
  { domain }: UseCase,
  { userId }: Person,
  handle: string,
): Promise<AskedLogin> {
  const row = await byHandle(domain.db, handle).executeTakeFirst()
  if (!row) throw unknown()
  const { code, device, network } = row
  return { state: stateFor(row, userId), code, device, from: network }
}

type Row = NonNullable<Awaited<ReturnType<typeof lockByHandle>>>

function stateFor(row: Row, userId: string): AskedLogin['state'] {
  if (row.state === 'open') return row.is_over ? 'over' : 'open'
  if (row.user_id !== userId) return 'over'
  if (row.state === 'denied') return 'denied'
  if (row.state === 'taken') return 'approved'
  return row.state === 'approved' && !row.is_over ? 'approved' : 'over'
}

/** From now on its command line can take a token of this person in this workspace. What is decided stays so. */
export function approveLoginRequest(
  context: UseCase,
  actor: Actor,
  handle: string,
): Promise<undefined> {
  authorize(actor, 'own_token:create')
  const { userId, workspaceId } = actor
  return inTransaction(context, async (tx) => {
    await lockMinter(tx, actor)
    return decide(tx, handle, { state: 'approved', user_id: userId, approved_in: workspaceId })
  })
}

export function denyLoginRequest(
  context: UseCase,
  { userId }: Person,
  handle: string,
): Promise<undefined> {
  return inTransaction(context, (tx) => decide(tx, handle, { state: 'denied', user_id: userId }))
}

async function decide(
  tx: Tx,
  handle: string,
  decision: { state: 'approved' | 'denied'; user_id: string; approved_in?: string },
): Promise<undefined> {
  const row = await lockByHandle(tx, handle)
  if (!row) throw unknown()
  if (row.state !== 'open' || row.is_over) return undefined
  await tx.updateTable('login_requests').set(decision).where('id', '=', row.id).execute()
  return undefined
}

function unknown(): ServiceError {
  return new ServiceError(
    'not_found',
    'No command line asks to be signed in at this address, or not any more. Let it ask again.',
  )
}

import { ServiceError } from '@svc/contracts/errors'
import type { Domain } from '../../domain.ts'
import { recordChange } from '../../commit/records.ts'
import { inTransaction } from '../../commit/transaction.ts'
import { openSetUp } from '../../people/set-up.ts'
import { putMember, putToken, putWorkspace } from './set-up.ts'

export interface OwnerOrder {
  workspace: { slug: string; name: string }
  person: { email: string; name: string }
  /** Whether somebody who is owner already gets one more token. */
  newToken: boolean
  tokenDays: number
}

export interface CreatedOwner {
  workspaceId: string
  userId: string
  /** False when this person was owner of it before. */
  isNew: boolean
  /** With full scope, shown here and nowhere else; null when none was minted. */
  token: string | null
  /** The secret of the link by which this person sets a password, replacing any before; null once anybody can sign in. */
  setUpSecret: string | null
}

/** The first owner of a workspace, made on the server without a credential. Several at once make one, with one token. */
export function createOwner(domain: Domain, order: OwnerOrder): Promise<CreatedOwner> {
  return inTransaction({ domain }, async (tx) => {
    // the row is locked from here on: whoever sends the same waits, and finds the owner
    const workspaceId = await putWorkspace(tx, order.workspace)
    const { userId, isNew, role } = await putMember(tx, {
      workspaceId,
      ...order.person,
      role: 'owner',
    })
    if (role !== 'owner') {
      throw new ServiceError(
        'already_exists',
        `${order.person.email} is ${role} of ${order.workspace.slug} and stays it: give another person or another workspace.`,
      )
    }
    if (isNew) recordChange(tx, { member: { workspace_id: workspaceId, id: userId, role } }, 'join')
    const setUpSecret = await openSetUp(tx, userId)
    const made = { workspaceId, userId, isNew, setUpSecret }
    if (!isNew && !order.newToken) return { ...made, token: null }
    const token = await putToken(tx, domain.keys, {
      workspaceId,
      userId,
      label: 'made on the server',
      preset: 'full',
      expiresInDays: order.tokenDays,
    })
    return { ...made, token }
  })
}

import { inTransaction } from '@svc/domain/commit/transaction'
import type { Domain } from '@svc/domain/domain'
import { activateGrant, putPendingGrant } from '@svc/domain/oauth/grants'

/** A token as an application has it that this person let in. */
export async function tokenFromOAuth(
  domain: Domain,
  person: { workspaceId: string; userId: string },
): Promise<string> {
  const client = { clientId: 'an-application', clientName: 'An application' }
  const given = await inTransaction({ domain }, async (tx) => {
    const { workspace_id: workspaceId, id } = await putPendingGrant(tx, { ...person, ...client })
    return activateGrant(tx, domain.keys, { workspaceId, id })
  })
  if (given === undefined) throw new Error('only a member can let an application in')
  return given.token
}

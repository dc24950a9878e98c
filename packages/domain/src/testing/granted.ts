import { inTransaction } from '../commit/transaction.ts'
import type { Domain } from '../domain.ts'
import { activateGrant, putPendingGrant } from '../oauth/grants.ts'

/** A token as an application has it that this person let in. */
export async function tokenFromOAuth(
  domain: Domain,
  { workspaceId: ofWorkspace, userId }: { workspaceId: string; userId: string },
  clientName = 'An application',
): Promise<string> {
  const person = { workspaceId: ofWorkspace, userId }
  const client = { clientId: 'an-application', clientName }
  const given = await inTransaction({ domain }, async (tx) => {
    const { workspace_id: workspaceId, id } = await putPendingGrant(tx, { ...person, ...client })
    return activateGrant(tx, domain.keys, { workspaceId, id })
  })
  if (given === undefined) throw new Error('only a member can let an application in')
  return given.token
}

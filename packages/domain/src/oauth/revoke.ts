import { isServiceError } from '@svc/contracts/errors'
import { authenticate } from '../access/authenticate.ts'
import type { Actor } from '../actor.ts'
import { recordAudit } from '../audit/record.ts'
import { inTransaction } from '../commit/transaction.ts'
import type { Domain } from '../domain.ts'
import type { UseCase } from '../use-case.ts'
import { revokeGrant } from './grants.ts'

/** Ends a token for every request that starts after this commits. Of what it was not, nothing is told. RFC 7009. */
export async function revokeByClient(
  context: UseCase,
  { token, clientId }: { token: string; clientId: string | undefined },
): Promise<void> {
  const holder = await findHolder(context.domain, token)
  if (!holder) return
  const { workspaceId, credential } = holder
  const grant = { workspaceId, id: credential.id, ...(clientId !== undefined && { clientId }) }
  await inTransaction(context, async (tx) => {
    const revoked = await revokeGrant(tx, grant, 'client')
    if (!revoked) return
    const { label, prefix } = revoked
    const facts = { targetId: grant.id, details: { label, prefix } }
    recordAudit(tx, context, holder, { action: 'token.revoked', ...facts })
  })
}

/** Nobody, where there is nothing left to end. */
async function findHolder(domain: Domain, token: string): Promise<Actor | undefined> {
  return authenticate(domain, token, 'mcp').catch((error: unknown) => {
    if (isServiceError(error) && error.code === 'unauthenticated') return undefined
    throw error
  })
}

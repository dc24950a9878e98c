import { isWellFormedToken } from '@svc/contracts/token-form'
import { sql } from 'kysely'
import { recordAudit } from '../audit/record.ts'
import { inTransaction } from '../commit/transaction.ts'
import type { UseCase } from '../use-case.ts'
import { revokeGrant } from './grants.ts'

/** Ends a token for every request that starts after this commits. Of what it was not, nothing is told. RFC 7009. */
export async function revokeByClient(
  context: UseCase,
  { token, clientId }: { token: string; clientId: string | undefined },
): Promise<void> {
  if (!isWellFormedToken(token)) return
  const candidates = context.domain.keys.macs('tokens', token).map(({ mac }) => mac)
  await inTransaction(context, async (tx) => {
    let given = tx
      .selectFrom('user_tokens')
      .select(['workspace_id', 'id'])
      .where(sql<boolean>`token_hmac = any(${candidates}::bytea[])`)
      .where('kind', '=', 'oauth')
    if (clientId !== undefined) given = given.where('client_id', '=', clientId)
    const found = await given.executeTakeFirst()
    if (!found) return
    const grant = { workspaceId: found.workspace_id, id: found.id }
    const revoked = await revokeGrant(tx, grant, 'client')
    if (!revoked) return
    const { label, prefix, user_id: userId } = revoked
    const doer = { workspaceId: grant.workspaceId, userId, credential: { prefix } }
    const facts = { targetId: grant.id, details: { label, prefix } }
    recordAudit(tx, context, doer, { action: 'token.revoked', ...facts })
  })
}

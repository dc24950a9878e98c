import { isServiceError } from '@svc/contracts/errors'
import { tokenForms } from '@svc/contracts/token-form'
import { authenticate } from '../access/authenticate.ts'
import type { Actor } from '../common/actor.ts'
import { recordAudit } from '../audit/record.ts'
import { inTransaction } from '../commit/transaction.ts'
import type { Domain } from '../domain.ts'
import type { UseCase } from '../use-case.ts'
import { OAuthError } from './error.ts'
import { revokeGrant } from './grants.ts'

/**
 * Ends a token for every request that starts after this commits. Nothing says whether there was such a token. One that a
 * person made is no client's to end, whoever shows it, and neither is that of a run: it is refused by its form alone. RFC
 * 7009, 2.2.1.
 */
export async function revokeByClient(
  context: UseCase,
  { token, clientId }: { token: string; clientId: string | undefined },
): Promise<void> {
  if (token.startsWith(tokenForms.minted.prefix)) throw madeByPerson()
  if (token.startsWith(tokenForms.run.prefix)) throw endsWithItsRun()
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

function madeByPerson(): OAuthError {
  return new OAuthError(
    'unsupported_token_type',
    'A token that a person made is ended by that person: on their account page, or by the token itself with DELETE /api/user-tokens/current.',
  )
}

function endsWithItsRun(): OAuthError {
  return new OAuthError(
    'unsupported_token_type',
    'The token of a run ends with that run: cancel the run, or revoke the token of its runner.',
  )
}

/** Nobody, where there is nothing left to end. */
async function findHolder(domain: Domain, token: string): Promise<Actor | undefined> {
  return authenticate(domain, token, 'mcp').catch((error: unknown) => {
    if (isServiceError(error) && error.code === 'unauthenticated') return undefined
    throw error
  })
}

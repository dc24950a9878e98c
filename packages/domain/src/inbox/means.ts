import type { InboxMeans } from '@svc/contracts/inbox-item'
import type { Queryable } from '@svc/db/database'
import type { Actor } from '../common/actor.ts'

/** By what the caller acts just now. The name of a token is written down: the token may go before what was done with it. */
export async function meansOf(
  db: Queryable,
  { workspaceId, credential }: Actor,
  source?: 'mcp',
): Promise<InboxMeans> {
  if (credential.kind === 'sign_in') return { source: source ?? 'web', tokenLabel: null }
  const token = await db
    .selectFrom('user_tokens')
    .select('label')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', credential.id)
    .executeTakeFirst()
  return { source: source ?? 'api', tokenLabel: token?.label ?? null }
}

/** As the end of a sentence. */
export function sayMeans({ source, tokenLabel }: InboxMeans): string {
  const what = { web: 'by you in a browser', api: 'by you', mcp: 'by an agent of yours' }[source]
  return tokenLabel === null ? what : `${what} with the token ${tokenLabel}`
}

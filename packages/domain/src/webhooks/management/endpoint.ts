import { ServiceError } from '@svc/contracts/errors'
import type { Actor } from '../../common/actor.ts'
import type { Domain } from '../../domain.ts'
import { validationFailed } from '../../common/errors.ts'
import { slugOfWorkspace } from '../../entities/workspaces/queries.ts'

/** What an operator may open, all but a few addresses that no list opens. */
const opened = new Set(['scheme', 'internal_name', 'address'])

/** The address as it is kept, or the refusal; asked before a transaction begins, since it asks the DNS. */
export async function checkEndpoint(
  { outbound, db }: Domain,
  { workspaceId }: Actor,
  url: string,
): Promise<string> {
  const slug = await slugOfWorkspace(db, workspaceId)
  const verdict = await outbound.check(url, slug)
  if (verdict.ok) return verdict.url
  if (opened.has(verdict.rule)) {
    const way = `A host of a private network, also by http, is opened for the workspace ${slug} by whoever operates the service, in SVC_WEBHOOK_ALLOWED_HOSTS.`
    throw validationFailed('endpointUrl', `${verdict.message} ${way}`)
  }
  if (verdict.rule !== 'unresolvable') throw validationFailed('endpointUrl', verdict.message)
  throw new ServiceError('endpoint_unresolvable', verdict.message, {
    fields: [{ path: 'endpointUrl', message: verdict.message }],
  })
}

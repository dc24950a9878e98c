import { ServiceError } from '@svc/contracts/errors'
import type { Actor } from '../../common/actor.ts'
import type { Domain } from '../../domain.ts'
import { validationFailed } from '../../common/errors.ts'
import type { EndpointVerdict } from '../../outbound.ts'
import { slugOfWorkspace } from '../../entities/workspaces/queries.ts'

/** What an operator may open, all but a few addresses that no list opens. */
const opened = new Set(['scheme', 'internal_name', 'address'])

/**
 * Asked before a transaction begins, since it asks the DNS. What is answered gives the address as it is kept, or throws the
 * refusal; called within the transaction, where a call that was carried out before has its answer whatever the DNS says now.
 */
export async function askEndpoint(
  domain: Domain,
  actor: Actor,
  asked: string,
): Promise<() => string> {
  const { refusal, url } = await judgeEndpoint(domain, actor, asked)
  return () => {
    if (!refusal) return url
    const { code, message } = refusal
    if (code === 'validation_failed') throw validationFailed('endpointUrl', message)
    throw new ServiceError('endpoint_unresolvable', message, {
      fields: [{ path: 'endpointUrl', message }],
    })
  }
}

interface Refusal {
  code: 'validation_failed' | 'endpoint_unresolvable'
  message: string
}

interface JudgedEndpoint {
  /** As it is kept, where it is not refused. */
  url: string
  isListed: boolean
  refusal?: Refusal
}

/** One answer for whoever only asks and for whoever saves, so that asking tells nobody more. */
export async function judgeEndpoint(
  { outbound, db }: Domain,
  { workspaceId }: Actor,
  url: string,
): Promise<JudgedEndpoint> {
  const slug = await slugOfWorkspace(db, workspaceId)
  const verdict = await outbound.check(url, slug)
  if (verdict.ok) return { url: verdict.url, isListed: verdict.isListed }
  return { url, isListed: false, refusal: refusalOf(verdict, slug, url) }
}

function refusalOf(
  { rule, message }: Extract<EndpointVerdict, { ok: false }>,
  slug: string,
  url: string,
): Refusal {
  if (rule === 'unresolvable') return { code: 'endpoint_unresolvable', message }
  const way = opened.has(rule)
    ? ` A host of a private network, also by http, is opened for the workspace ${slug} by whoever operates the service, in SVC_WEBHOOK_ALLOWED_HOSTS${exampleOf(slug, url)}.`
    : ''
  return { code: 'validation_failed', message: message + way }
}

/** How the host of the address would stand there. */
function exampleOf(slug: string, url: string): string {
  return URL.canParse(url) && new URL(url).host !== '' ? ` as ${slug}@${new URL(url).host}` : ''
}

import { isServiceError } from '@svc/contracts/errors'
import type { Permission } from '@svc/contracts/permissions'
import type { AnyToolContract } from '@svc/contracts/mcp/tool-contract'
import { toolContracts } from '@svc/contracts/mcp/tools'
import { authenticate } from '@svc/domain/access/authenticate'
import type { Actor } from '@svc/domain/common/actor'
import type { Domain } from '@svc/domain/domain'
import type { RateLimiter } from '@svc/http/rate-limit'
import type { HttpContext } from '@svc/http/request-context'
import type { Site } from './site.ts'
import { tooMany } from './too-many.ts'

const contracts: readonly AnyToolContract[] = Object.values(toolContracts)
const permissionsOfUse: ReadonlySet<Permission> = new Set(contracts.map((tool) => tool.permission))

const invalidToken =
  'The access token is missing, malformed, expired, revoked, or not for this address. Get a new one.'
const noToken = 'Send an access token as: Authorization: Bearer <token>'

/** Who calls, or the answer to whoever may not; before anything of the request's body is read. */
export async function admit(
  context: HttpContext,
  { domain, limiter }: { domain: Domain; limiter: RateLimiter },
  site: Site,
): Promise<Actor | Response> {
  // how a client finds out where tokens come from is no try
  if (context.req.header('authorization') === undefined && !hasTokenInQuery(context)) {
    return refusal(401, 'unauthorized', noToken, challenge(site))
  }
  try {
    const actor = await limiter.authenticate(context, ({ bearer }) =>
      authenticate(domain, bearer, 'mcp'),
    )
    if (canDoAnything(actor)) return actor
    const why = 'This token may use none of the tools here. Use one with more permissions.'
    return refusal(403, 'insufficient_scope', why, challenge(site, 'insufficient_scope'))
  } catch (error) {
    if (!isServiceError(error)) throw error
    if (error.code === 'unauthenticated') {
      return refusal(401, 'invalid_token', invalidToken, challenge(site, 'invalid_token'))
    }
    if (error.code === 'rate_limited') return tooMany(error)
    // never 401 for what is our own trouble: clients drop the token then
    return refusal(503, 'temporarily_unavailable', error.message, { 'retry-after': '1' })
  }
}

/** A token that is not of no use gets tool errors, so that no client runs in circles for more scope. Decision 49. */
function canDoAnything(actor: Actor): boolean {
  return [...permissionsOfUse].some((permission) => actor.permissions.has(permission))
}

function hasTokenInQuery(context: HttpContext): boolean {
  return new URL(context.req.url).searchParams.has('access_token')
}

function challenge(site: Site, error?: string): Record<string, string> {
  const parts = [
    ...(error === undefined ? [] : [`error="${error}"`]),
    `resource_metadata="${site.resourceMetadata}"`,
    `scope="${site.scopes.join(' ')}"`,
  ]
  return { 'www-authenticate': `Bearer ${parts.join(', ')}` }
}

function refusal(
  status: number,
  error: string,
  error_description: string,
  headers: Record<string, string>,
): Response {
  return Response.json(
    { error, error_description },
    { status, headers: { ...headers, 'cache-control': 'no-store' } },
  )
}

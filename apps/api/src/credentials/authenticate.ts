import { authenticate, recall } from '@svc/domain/access/authenticate'
import type { Recalled } from '@svc/domain/common/recalled'
import { mayBeRecalled } from '@svc/domain/handlers/recalled-callers'
import type { Actor } from '@svc/domain/common/actor'
import type { Domain } from '@svc/domain/domain'
import { authenticateMember, authenticatePerson } from '@svc/domain/people/access/authenticate'
import type { Person } from '@svc/domain/entities/people/person'
import type { Presented } from '@svc/http/request-context'
import { signInCookie } from './cookie.ts'
import { refuseForeign } from './same-origin.ts'

interface Service {
  domain: Domain
  /** The public origin, asked per request: who takes a free port knows it once it listens. */
  baseUrl: () => string
}

/** Who calls in a workspace: by a token, or by the cookie of a browser that is signed in. */
export async function authenticateCaller(
  { domain, baseUrl }: Service,
  presented: Presented,
): Promise<Actor> {
  const secret = secretOf(presented, baseUrl())
  if (secret === undefined) return authenticate(domain, presented.bearer, 'api')
  const actor = await authenticateMember(domain, secret, presented.workspace)
  refuseForeign(presented, baseUrl())
  return actor
}

/** Who called by this token before, for what may read by its own transaction who calls. */
export function recallCaller(
  { domain, baseUrl }: Service,
  presented: Presented,
  name: string,
): Recalled | undefined {
  if (!mayBeRecalled(name) || secretOf(presented, baseUrl()) !== undefined) return undefined
  return recall(domain, presented.bearer, 'api')
}

/** Who is signed in; no token is good for that. */
export async function authenticateSignedIn(
  { domain, baseUrl }: Service,
  presented: Presented,
): Promise<Person> {
  const person = await authenticatePerson(domain, secretOf(presented, baseUrl()))
  refuseForeign(presented, baseUrl())
  return person
}

function secretOf({ cookies }: Presented, baseUrl: string): string | undefined {
  return signInCookie(baseUrl).read(cookies)
}

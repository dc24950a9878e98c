import { createHash, randomUUID } from 'node:crypto'
import { authenticate } from '@svc/domain/access/authenticate'
import { inTransaction } from '@svc/domain/commit/transaction'
import type { Domain } from '@svc/domain/domain'
import { routeHandlers } from '@svc/domain/handlers/routes'
import { createResetLinkOnServer } from '@svc/domain/members/reset-links'
import { approveRequest } from '@svc/domain/oauth/approve'
import { registerClient } from '@svc/domain/oauth/clients'
import { storeRequest } from '@svc/domain/oauth/requests'
import { authenticatePerson } from '@svc/domain/people/access/authenticate'
import { hashPassword } from '@svc/domain/people/hash-password'
import { storePassword } from '@svc/domain/people/passwords'
import { openSetUp } from '@svc/domain/people/set-up'
import { startSignIn } from '@svc/domain/people/sign-ins'
import { tokenFromOAuth } from '@svc/domain/testing/granted'
import { sql } from 'kysely'

/** What an entry point can be called with, all of it valid when it is made. */
export interface Inputs {
  workspaceId: string
  clientId: string
  redirectUri: string
  resource: string
  verifier: string
  challenge: string
  /** The handle of an application's request that waits for a person. */
  request: string
  code: string
  /** The token that an application was given. */
  granted: string
  /** The handle of a command line's request to sign in. */
  login: string
  invitation: string
  reset: string
  setUp: string
  /** An id that nothing has. */
  id: string
}

const redirectUri = 'http://127.0.0.1/back?here=1'
const verifier = 'v'.repeat(43)
const challenge = createHash('sha256').update(verifier).digest('base64url')

export interface Maker {
  baseUrl: string
  /** A token of an admin. */
  token: string
  /** Where a command line asks from. */
  network: string
  /** Whether that admin can sign in by one; the first owner's link is good where not. */
  hasPassword: boolean
}

export async function makeInputs(
  domain: Domain,
  { baseUrl, token, network, hasPassword }: Maker,
): Promise<Inputs> {
  const actor = await authenticate(domain, token, 'api')
  const { workspaceId, userId } = actor
  const resource = `${baseUrl}/mcp`
  const visitor = { from: network, origin: baseUrl }
  const { id: clientId } = await registerClient({ domain }, { redirect_uris: [redirectUri] })
  const asked = { clientId, clientName: 'Fuzz', redirectUri, challenge, resource }
  const ask = () => storeRequest({ domain }, { ...asked, state: undefined })
  const { secret } = await signInAs(domain, userId)
  const person = await authenticatePerson(domain, secret)
  const { code } = await approveRequest({ domain }, person, {
    handle: await ask(),
    workspaceId,
    resource,
  })
  const login = await routeHandlers.createLoginRequest({ domain }, visitor, {
    challenge: createHash('sha256').update(randomUUID()).digest('base64url'),
    device: 'a laptop',
  })
  const invited = await routeHandlers.createInvitation({ domain, baseUrl }, actor, {
    email: `${randomUUID()}@example.com`,
    role: 'member',
  })
  const reset = await createResetLinkOnServer(domain, { email: 'alice@example.com', baseUrl })
  return {
    workspaceId,
    clientId,
    redirectUri,
    resource,
    verifier,
    challenge,
    request: await ask(),
    code,
    granted: await tokenFromOAuth(domain, { workspaceId, userId }),
    login: secretOf(login.address, 'request'),
    invitation: secretOf(invited.link, 'token'),
    reset: secretOf(reset.link, 'token'),
    setUp: await setUpOrPassword(domain, userId, hasPassword),
    id: randomUUID(),
  }
}

export function signInAs(domain: Domain, userId: string) {
  return inTransaction({ domain }, (tx) =>
    startSignIn(tx, domain.keys, { userId, browser: 'a test', from: undefined, by: 'a test' }),
  )
}

/** The first owner's link is open for as long as nobody has a credential; else they have this password. */
async function setUpOrPassword(domain: Domain, userId: string, hasPassword: boolean) {
  const hash = hasPassword ? await passwordHash() : undefined
  return inTransaction({ domain }, async (tx) => {
    await sql`delete from user_passwords`.execute(tx)
    if (hash !== undefined) await storePassword(tx, userId, hash)
    return (await openSetUp(tx, userId)) ?? ''
  })
}

export const password = 'four quiet words here'
let hashed: Promise<string> | undefined
function passwordHash(): Promise<string> {
  hashed ??= hashPassword(password)
  return hashed
}

function secretOf(address: string, parameter: string): string {
  return new URL(address).searchParams.get(parameter) ?? ''
}

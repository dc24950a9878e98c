import { randomBytes } from 'node:crypto'
import { signedIn } from '../testing/signed-in.ts'
import { test } from '../testing/world.ts'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { actorIn } from '../people/access/authenticate.ts'
import { linkIdentity, signInByIdentity } from '../people/identities.ts'
import { approveLoginRequest } from '../login-requests/decide.ts'
import { routeHandlers } from '../handlers/routes.ts'
import { createResetLinkOnServer } from './reset-links.ts'
import { resetAccount } from './reset-password.ts'

const baseUrl = 'http://127.0.0.1:4600'
const admission = { name: 'made', domains: [], workspace: 'here', role: 'viewer' } as const
const visitor = { from: '192.0.2.1', origin: baseUrl }

test('a reset leaves nothing of what was begun meanwhile, and whoever has the link is in', async ({
  world,
}) => {
  const { domain, workspaceId } = world
  // a password would take its time before anything is ended
  const context = { domain: { ...domain, passwordLogin: false } }
  for (let round = 0; round < 10; round += 1) {
    const bob = await world.person('member')
    const { user } = await bob.call('getMe', {})
    const stranger = (subject: string) => ({
      issuer: 'https://id.example',
      subject: `${subject}-${user.id}`,
      email: undefined,
      emailIsVerified: false,
      name: undefined,
    })
    await signedIn(domain, { userId: user.id, baseUrl })
    const signIn = await domain.db
      .selectFrom('sign_ins')
      .select(['id', 'expires_at'])
      .where('user_id', '=', user.id)
      .executeTakeFirstOrThrow()
    const person = {
      userId: user.id,
      userName: user.name,
      email: user.email,
      signIn: { id: signIn.id, expiresAt: signIn.expires_at },
    }
    await linkIdentity(context, person, stranger('before'), admission)
    const actor = await actorIn(domain.db, signIn.id, workspaceId)
    const verifier = randomBytes(32)
    const challenge = verifier.toString('base64url')
    const asked = { challenge, device: 'laptop' }
    const login = await routeHandlers.createLoginRequest(context, visitor, asked)
    const handle = new URL(login.address).searchParams.get('request') ?? ''

    const { link } = await createResetLinkOnServer(domain, { email: user.email, baseUrl })
    const secret = new URL(link).searchParams.get('token') ?? ''
    const reset = resetAccount(context, secret, { newPassword: '', browser: 'own' })
    const begun = [
      bob.withPreset('full'),
      bob.withPreset('read_only'),
      routeHandlers.createUserToken(context, actor, {
        label: 'by the browser',
        preset: 'full',
        expiresInDays: 1,
      }),
      linkIdentity(context, person, stranger('meanwhile'), admission),
      signInByIdentity(context, stranger('before'), { admission, browser: 'theirs' }),
      approveLoginRequest(context, actor, handle),
    ]
    await Promise.allSettled(begun)
    await reset
    const { rows } = await sql`
      select array(select browser from sign_ins where user_id = ${user.id} and ended_at is null) as browsers,
             (select count(*)::int from user_tokens
               where user_id = ${user.id} and revoked_at is null) as tokens,
             (select count(*)::int from user_identities where user_id = ${user.id}) as identities,
             (select count(*)::int from login_requests
               where user_id = ${user.id} and state = 'approved') as logins`.execute(domain.db)
    expect(rows).toEqual([{ browsers: ['own'], tokens: 0, identities: 0, logins: 0 }])
  }
})

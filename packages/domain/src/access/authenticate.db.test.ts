import { TokenPreset } from '@svc/contracts/permissions'
import { verifies } from '@svc/testing/verifies'
import { type World, test } from '../testing/world.ts'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { authenticate } from './authenticate.ts'
import { newTokenSecret } from './token-secret.ts'

const refusal = {
  code: 'unauthenticated',
  message:
    'No valid access token came with this request. Send one as: Authorization: Bearer <token>',
}

/** Each makes a credential that was good, or might have been, and is not. */
const bad: Record<string, (world: World) => Promise<string | undefined>> = {
  missing: async () => undefined,
  empty: async () => '',
  'no token of ours': async () => 'ghp_0123456789',
  'cut short': async ({ alice }) => alice.token.slice(0, -1),
  'mistyped in one place': async ({ alice }) =>
    alice.token.slice(0, 20) + (alice.token[20] === 'a' ? 'b' : 'a') + alice.token.slice(21),
  'well formed and unknown': async () => newTokenSecret('minted'),
  expired: async (world) => {
    const { token } = await world.alice.withToken({ preset: 'full', expiresInDays: 1 })
    await world.advance(24 * 60 * 60)
    return token
  },
  revoked: async ({ alice }) => {
    const { token, actor } = await alice.withToken({ preset: 'full' })
    await alice.call('revokeUserToken', { id: (await actor()).credential.id })
    return token
  },
  'of another audience': async ({ alice }) =>
    (await alice.withToken({ preset: 'full', audiences: ['mcp'] })).token,
  'of somebody who was disabled': async (world) => {
    const { userId, token } = await world.person('member')
    await sql`update users set disabled_at = app.now() where id = ${userId}`.execute(
      world.domain.db,
    )
    return token
  },
  'of somebody who is no member any more': async (world) => {
    const { userId, token } = await world.person('member')
    await sql`delete from memberships where user_id = ${userId}`.execute(world.domain.db)
    return token
  },
}

describe('a credential', () => {
  test.for(Object.keys(bad))(
    'that is %s is refused in the same words as any other',
    async (name, { world }) => {
      const bearer = await bad[name]?.(world)
      await expect(authenticate(world.domain, bearer, 'api')).rejects.toMatchObject(refusal)
    },
  )

  test(
    verifies('auth.full-scope', 'of full scope allows what the role allows'),
    async ({ world }) => {
      const admin = await world.alice.actor()
      const viewer = await world.vera.actor()

      expect(admin).toMatchObject({
        workspaceId: world.workspaceId,
        userName: 'alice',
        role: 'admin',
        credential: { kind: 'token', scope: 'full', projectIds: null },
      })
      expect(admin.permissions.has('webhook:create')).toBe(true)
      expect(viewer.permissions.has('mission:read')).toBe(true)
      expect(viewer.permissions.has('execution_request:create')).toBe(false)
    },
  )

  test(
    verifies('auth.user-token', 'is a user token, and no other secret that the service gives out'),
    async ({ world }) => {
      const { domain, alice } = world
      const { mission } = await world.missionWith(['write the docs'])
      const { agent, lease } = await world.attachedRun(mission.objectives[0])
      for (const secret of [agent.sessionKey(), lease.leaseToken]) {
        for (const audience of ['api', 'mcp'] as const) {
          await expect(authenticate(domain, secret, audience)).rejects.toMatchObject(refusal)
        }
      }
      for (const preset of TokenPreset.options) {
        const { token, userToken } = await alice.call('createUserToken', { label: 'own', preset })
        for (const audience of userToken.audiences) {
          const actor = await authenticate(domain, token, audience)
          expect(actor).toMatchObject({
            userName: 'alice',
            credential: { id: userToken.id, preset },
          })
        }
        await domain.db.deleteFrom('user_tokens').where('id', '=', userToken.id).execute()
        for (const audience of userToken.audiences) {
          await expect(authenticate(domain, token, audience)).rejects.toMatchObject(refusal)
        }
      }
    },
  )

  test(
    verifies('auth.narrow-scopes', 'of some scopes allows these, as far as the role does'),
    async ({ world }) => {
      const scope = { permissions: ['mission:read', 'project:update', 'webhook:create'] as const }
      const narrow = { permissions: [...scope.permissions] }

      const alice = await (await world.alice.withToken(narrow)).actor()
      const bob = await (await world.bob.withToken(narrow)).actor()

      expect([...alice.permissions].sort()).toEqual([...scope.permissions].sort())
      expect([...bob.permissions].sort()).toEqual(['mission:read', 'project:update'])
    },
  )

  test('allows less at once when the role becomes a smaller one', async ({ world }) => {
    const person = await world.person('member')
    const { mission } = await world.missionWith(['write the docs'])

    await sql`update memberships set role = 'viewer' where user_id = ${person.userId}`.execute(
      world.domain.db,
    )

    await expect(person.launch(mission.objectives[0])).rejects.toMatchObject({ code: 'forbidden' })
  })
})

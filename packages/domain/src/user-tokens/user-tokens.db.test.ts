import type { Person } from '../testing/people.ts'
import { verifies } from '@svc/testing/verifies'
import { test } from '../testing/world.ts'
import { describe, expect } from 'vitest'
import { authenticate } from '../access/authenticate.ts'

describe('minting a token', () => {
  test('answers a secret that works, once', async ({ world }) => {
    const { userToken, token } = await world.alice.call('createUserToken', {
      label: 'laptop',
      preset: 'mission_lifecycle',
    })

    expect(token).toMatch(/^svcut_[0-9A-Za-z]{49}$/)
    expect(userToken).toMatchObject({
      label: 'laptop',
      preset: 'mission_lifecycle',
      scope: 'scoped',
    })
    expect(await authenticate(world.domain, token, 'api')).toMatchObject({ userName: 'alice' })
    const listed = await world.alice.call('listUserTokens', {})
    expect(listed.userTokens.find((one) => one.id === userToken.id)?.label).toBe('laptop')
    expect(JSON.stringify(listed)).not.toContain(token)
    const stored = await world.domain.db.selectFrom('user_tokens').selectAll().execute()
    expect(JSON.stringify(stored)).not.toContain(token.slice(14))
  })

  test(
    verifies('auth.scope-names', 'gives it the scopes that were asked for, and these alone'),
    async ({ world }) => {
      const { mission } = await world.missionWith(['a'])
      const { id, projectId } = mission
      const asks = {
        'mission:read': (one: Person) => one.call('getMission', { id }),
        'project:update': (one: Person) =>
          one.call('createProjectStatus', { id: projectId, label: 'x', type: 'draft' }),
        'execution_request:create': (one: Person) => one.launch(mission.objectives[0]),
      } as const
      const scopes = ['mission:read', 'project:update', 'execution_request:create'] as const
      for (const scope of scopes) {
        const others = ['project:read', ...scopes.filter((one) => one !== scope)] as const
        const without = await world.alice.withToken({ permissions: [...others] })
        await expect(asks[scope](without)).rejects.toMatchObject({
          code: 'forbidden',
          details: { permission: scope },
        })
        const whole = await world.alice.withToken({ permissions: [...others, scope] })
        expect([...(await whole.actor()).permissions].toSorted()).toEqual(
          [...others, scope].toSorted(),
        )
        await asks[scope](whole)
      }
    },
  )

  test('gives a permission once, however often it is asked for', async ({ world }) => {
    const { userToken } = await world.alice.call('createUserToken', {
      label: 'laptop',
      permissions: ['mission:read', 'project:read', 'mission:read'],
    })
    expect(userToken.permissions).toEqual(['mission:read', 'project:read'])
  })

  test('is refused beyond the permissions of the token that mints', async ({ world }) => {
    const narrow = await world.alice.withToken({
      permissions: ['own_token:create', 'mission:read'],
    })

    await expect(
      narrow.withToken({ permissions: ['mission:read', 'mission:update'] }),
    ).rejects.toMatchObject({ code: 'forbidden', details: { permission: 'mission:update' } })
    await expect(narrow.withPreset('full')).rejects.toMatchObject({ code: 'forbidden' })
    await expect(narrow.withPreset('runner')).rejects.toMatchObject({ code: 'forbidden' })
    const within = await narrow.withToken({ permissions: ['mission:read'] })
    expect([...(await within.actor()).permissions]).toEqual(['mission:read'])
  })

  test('is refused beyond the projects of the token that mints', async ({ world }) => {
    const mine = await world.projectWith()
    const other = await world.projectWith()
    const bound = await world.alice.withToken({
      permissions: ['own_token:create', 'mission:read', 'project:read'],
      projectIds: [mine.id],
    })

    const inherited = await bound.withToken({ permissions: ['mission:read'] })
    expect((await inherited.actor()).credential.projectIds).toEqual([mine.id])
    await expect(
      bound.withToken({ permissions: ['mission:read'], projectIds: [mine.id, other.id] }),
    ).rejects.toMatchObject({ code: 'not_found' })
  })

  test('is refused beyond the audiences of the token that mints', async ({ world }) => {
    const apiOnly = await world.alice.withToken({ preset: 'full', audiences: ['api'] })

    await expect(
      apiOnly.withToken({ preset: 'read_only', audiences: ['api', 'mcp'] }),
    ).rejects.toMatchObject({ code: 'forbidden' })
    const inherited = await apiOnly.withToken({ preset: 'read_only' })
    await expect(authenticate(world.domain, inherited.token, 'mcp')).rejects.toMatchObject({
      code: 'unauthenticated',
    })
  })

  test('ends no later than the token that mints', async ({ world }) => {
    const short = await world.alice.withToken({ preset: 'full', expiresInDays: 2 })

    const long = await short.withToken({ preset: 'read_only', expiresInDays: 300 })

    expect((await long.actor()).credential.expiresAt).toEqual(
      (await short.actor()).credential.expiresAt,
    )
  })

  test('names no project of another workspace', async ({ world }) => {
    const project = await world.projectWith()
    await expect(
      world.carla.withToken({ preset: 'full', projectIds: [project.id] }),
    ).rejects.toMatchObject({ code: 'not_found' })
  })

  test('that is refused writes nothing', async ({ world }) => {
    const reader = await world.alice.withPreset('read_only')
    const written = await world.rowsWrittenBy(() => reader.withPreset('read_only'))
    expect(written).toMatchObject({ rows: [], refusal: { code: 'forbidden' } })
  })
})

describe('revoking a token', () => {
  test('ends it at once, and again changes nothing', async ({ world }) => {
    const { userToken, token } = await world.alice.call('createUserToken', {
      label: 'lost',
      preset: 'full',
    })
    await world.alice.call('revokeUserToken', { id: userToken.id })
    const listed = async () => (await world.alice.call('listUserTokens', {})).userTokens
    const first = (await listed()).find((one) => one.id === userToken.id)

    await world.alice.call('revokeUserToken', { id: userToken.id })

    expect(first?.revokedAt).not.toBeNull()
    expect((await listed()).find((one) => one.id === userToken.id)).toEqual(first)
    await expect(authenticate(world.domain, token, 'api')).rejects.toMatchObject({
      code: 'unauthenticated',
    })
  })

  test('ends all that it minted, and what those minted, and nothing else', async ({ world }) => {
    const lost = await world.alice.withPreset('full')
    const child = await lost.withPreset('full')
    const grandchild = await child.withPreset('full')
    const other = await world.alice.withPreset('full')

    await world.alice.call('revokeUserToken', { id: (await lost.actor()).credential.id })

    for (const one of [lost, child, grandchild]) {
      await expect(one.call('getMe', {})).rejects.toMatchObject({ code: 'unauthenticated' })
    }
    await expect(other.call('getMe', {})).resolves.toMatchObject({ user: { name: 'alice' } })
  })

  test('leaves nothing alive that is minted meanwhile', { tags: 'large' }, async ({ world }) => {
    for (let round = 0; round < 10; round += 1) {
      const lost = await world.alice.withPreset('full')
      const child = await lost.withPreset('full')
      const { id } = (await lost.actor()).credential
      const minting = Array.from({ length: 6 }, () => child.withPreset('read_only'))

      const [, ...minted] = await Promise.allSettled([
        world.alice.call('revokeUserToken', { id }),
        ...minting,
      ])

      for (const one of minted) {
        const failure: unknown =
          one.status === 'fulfilled' ? await failureOf(one.value) : one.reason
        expect(failure).toMatchObject({ code: 'unauthenticated' })
      }
    }
  })

  test('is for the owner alone: another one’s is not there', async ({ world }) => {
    const { userToken } = await world.alice.call('createUserToken', {
      label: 'hers',
      preset: 'full',
    })

    for (const other of [world.bob, world.carla]) {
      await expect(other.call('revokeUserToken', { id: userToken.id })).rejects.toMatchObject({
        code: 'not_found',
      })
      const { userTokens } = await other.call('listUserTokens', {})
      expect(userTokens.map((one) => one.id)).not.toContain(userToken.id)
    }
  })
})

function failureOf(person: Person): Promise<unknown> {
  return person.call('getMe', {}).catch((error: unknown) => error)
}

test('the list of tokens comes in pages, the newest first, each token once', async ({ world }) => {
  const owner = await world.bob.withPreset('full')
  for (let count = 0; count < 4; count += 1) await owner.withPreset('read_only')
  const { userTokens: all } = await owner.call('listUserTokens', { limit: 200 })

  const paged: string[] = []
  let cursor: string | undefined
  do {
    const page = await owner.call('listUserTokens', { limit: 2, ...(cursor && { cursor }) })
    expect(page.userTokens.length).toBeLessThanOrEqual(2)
    paged.push(...page.userTokens.map((one) => one.id))
    cursor = page.nextCursor
  } while (cursor !== undefined)

  expect(paged.length).toBeGreaterThan(4)
  expect(paged).toEqual(all.map((one) => one.id))
})

test('who asks is told who they are, and with which token', async ({ world }) => {
  const bob = await world.bob.withPreset('read_only')
  expect(await bob.call('getMe', {})).toMatchObject({
    user: { name: 'bob', email: 'bob@example.com' },
    workspace: { id: world.workspaceId, slug: 'here' },
    role: 'member',
    token: { preset: 'read_only', permissions: ['mission:read', 'project:read', 'workspace:read'] },
  })
})

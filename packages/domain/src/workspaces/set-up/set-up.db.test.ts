import { test } from '../../testing/world.ts'
import { describe, expect } from 'vitest'
import { ensureMember, ensureOwnerOf, ensureWorkspace, issueToken } from './set-up.ts'

const order = { label: 'first', preset: 'full' as const, expiresInDays: 1 }

describe('setting up', () => {
  test('makes a workspace and a member once, also when 8 do it at once', async ({ world }) => {
    const { domain } = world
    const eight = <T>(make: () => Promise<T>) => Promise.all(Array.from({ length: 8 }, make))
    const workspaces = await eight(() => ensureWorkspace(domain, { slug: 'new', name: 'New' }))
    expect(new Set(workspaces).size).toBe(1)
    const [workspaceId = ''] = workspaces
    const dora = { workspaceId, email: 'dora@example.com', name: 'dora', role: 'owner' as const }
    expect(new Set(await eight(() => ensureMember(domain, dora))).size).toBe(1)
  })

  test('finds the owner again, whatever their address is by now', async ({ world }) => {
    const { domain } = world
    const workspaceId = await ensureWorkspace(domain, { slug: 'owned', name: 'Owned' })
    const first = { workspaceId, email: 'owner@localhost', name: 'Owner' }
    const userId = await ensureOwnerOf(domain, first)
    await domain.db
      .updateTable('users')
      .set({ email: 'olga@example.com' })
      .where('id', '=', userId)
      .execute()
    expect(await ensureOwnerOf(domain, first)).toBe(userId)
  })

  test('leaves what is there as it is: name of the workspace, role of the member', async ({
    world,
  }) => {
    const { domain } = world
    const workspaceId = await ensureWorkspace(domain, { slug: 'kept', name: 'First' })
    expect(await ensureWorkspace(domain, { slug: 'kept', name: 'Second' })).toBe(workspaceId)
    const erik = { workspaceId, email: 'Erik@example.com', name: 'erik' }
    const userId = await ensureMember(domain, { ...erik, role: 'viewer' })
    expect(await ensureMember(domain, { ...erik, email: 'erik@EXAMPLE.com', role: 'owner' })).toBe(
      userId,
    )

    const workspace = await domain.db
      .selectFrom('workspaces')
      .select('name')
      .where('id', '=', workspaceId)
      .executeTakeFirst()
    const membership = await domain.db
      .selectFrom('memberships')
      .select('role')
      .where('user_id', '=', userId)
      .executeTakeFirst()
    expect([workspace?.name, membership?.role]).toEqual(['First', 'viewer'])
  })

  test('one person may be in two workspaces, with a role in each', async ({ world }) => {
    const { domain } = world
    const frida = { email: 'frida@example.com', name: 'frida' }
    const [one, two] = [
      await ensureWorkspace(domain, { slug: 'one', name: 'One' }),
      await ensureWorkspace(domain, { slug: 'two', name: 'Two' }),
    ]
    const userId = await ensureMember(domain, { workspaceId: one, ...frida, role: 'owner' })
    expect(await ensureMember(domain, { workspaceId: two, ...frida, role: 'viewer' })).toBe(userId)
    const roles = await domain.db
      .selectFrom('memberships')
      .select(['workspace_id', 'role'])
      .where('user_id', '=', userId)
      .execute()
    expect(new Map(roles.map((row) => [row.workspace_id, row.role]))).toEqual(
      new Map([
        [one, 'owner'],
        [two, 'viewer'],
      ]),
    )
  })

  test('issues a token that is stored nowhere', async ({ world }) => {
    const { domain, workspaceId } = world
    const userId = await ensureMember(domain, {
      workspaceId,
      email: 'gerd@example.com',
      name: 'gerd',
      role: 'member',
    })
    const token = await issueToken(domain, { workspaceId, userId, ...order })
    const rows = await domain.db
      .selectFrom('user_tokens')
      .selectAll()
      .where('user_id', '=', userId)
      .execute()
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(token)
  })
})

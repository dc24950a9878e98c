import { Role, permissions, rolePermissions } from '@svc/contracts/permissions'
import { test } from '../testing/world.ts'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { mayNow } from './member-may.ts'

describe('on behalf of somebody who does not call', () => {
  test.for(Role.options)('what the role %s has is allowed, no more', async (role, { world }) => {
    const { userId } = await world.person(role)
    const member = { workspaceId: world.workspaceId, userId }
    const allowed: string[] = []
    for (const permission of permissions) {
      if (await mayNow(world.domain.db, permission, member)) allowed.push(permission)
    }
    expect(allowed).toEqual(rolePermissions[role])
  })

  test('nothing is allowed once they are disabled, have left, or elsewhere', async ({ world }) => {
    const { db } = world.domain
    const disabled = await world.person('owner')
    await sql`update users set disabled_at = app.now() where id = ${disabled.userId}`.execute(db)
    const gone = await world.person('owner')
    await sql`delete from memberships where user_id = ${gone.userId}`.execute(db)
    const foreign = (await world.carla.actor()).userId
    for (const userId of [disabled.userId, gone.userId, foreign]) {
      const member = { workspaceId: world.workspaceId, userId }
      expect(await mayNow(db, 'mission:read', member)).toBe(false)
    }
  })
})

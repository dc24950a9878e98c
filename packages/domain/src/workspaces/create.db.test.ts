import { test } from '../testing/world.ts'
import { expect } from 'vitest'
import { createWorkspace } from './create.ts'

test('a workspace is made by nobody where the operator has turned new ones off, but by whom it is told', async ({
  world,
}) => {
  const { domain } = world
  const { user_id: userId } = await domain.db
    .selectFrom('memberships')
    .select('user_id')
    .where('workspace_id', '=', world.workspaceId)
    .executeTakeFirstOrThrow()
  const signIn = { id: userId, expiresAt: new Date(8.64e15) }
  const person = { userId, userName: 'Somebody', email: 'somebody@example.com', signIn }
  const made = await createWorkspace({ domain }, person, { slug: 'mine', name: 'Mine' })
  const closed = { domain: { ...domain, newWorkspaces: false } }

  const written = await world.rowsWrittenBy(() =>
    createWorkspace(closed, person, { slug: 'another', name: 'Another' }),
  )

  expect(written).toMatchObject({ rows: [], refusal: { code: 'forbidden' } })
  expect((written.refusal as Error).message).toContain('Ask whoever operates the service')
  // sent again, what was made before is answered all the same
  expect(await createWorkspace(closed, person, { slug: 'mine', name: 'Mine' })).toEqual(made)
})

import { test } from '../../testing/world.ts'
import { expect } from 'vitest'

test('a project has 100 statuses at most', async ({ world }) => {
  const { id } = await world.projectWith()
  const add = () => world.alice.call('createProjectStatus', { id, label: 'x', type: 'draft' })
  for (let count = 6; count < 100; count += 1) await add()
  await expect(add()).rejects.toMatchObject({ code: 'validation_failed' })
})

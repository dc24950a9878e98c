import { describe, expect } from 'vitest'
import { generateClient } from './generated-client.ts'
import { test } from './place.ts'

describe('the description of the API', () => {
  test('makes a client that type-checks, and that the API understands', async ({ place }) => {
    const { alice } = place.world
    const project = await place.world.projectWith()
    await using client = await generateClient(place.description)
    expect(await client.check()).toBe('')
    expect(await client.run(place.url, alice.token, project.id)).toEqual({
      title: 'Dark mode',
      objectives: [{ instruction: 'Add a switch.', state: 'draft' }],
      listed: [true],
      found: ['Dark mode'],
      refusals: ['not_found', 'validation_failed'],
      nothing: 404,
    })
  })
})

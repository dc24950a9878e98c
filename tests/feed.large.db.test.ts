import { createClient } from '@svc/client/client'
import { version } from '@svc/contracts/version'
import { highLimits } from '@svc/testing/high-limits'
import { expect } from 'vitest'
import { testAt } from '@svc/api/testing/place'

const test = testAt(({ baseUrl, world }) => ({ baseUrl, world }), highLimits)

test('a connection to the feed that ends after its first event loses nothing that comes then', async ({
  place: { baseUrl, world },
}) => {
  const { alice } = world
  const client = createClient({ baseUrl, token: alice.token })
  let cursor = ''
  for await (const { event, id, data } of client.feed()) {
    expect([event, data]).toEqual(['start', { version }])
    cursor = id
    break
  }
  const { project } = await alice.call('createProject', { name: 'Meanwhile' })
  for await (const { event, data } of client.feed({ cursor })) {
    if (event !== 'change' || data.entityId !== project.id) continue
    expect(data).toMatchObject({ entity: 'project', operation: 'create', revision: 1 })
    break
  }
})

test('a cursor of two numbers, as earlier versions gave it out, is gone on from', async ({
  place: { baseUrl, world },
}) => {
  const { alice } = world
  const { project } = await alice.call('createProject', { name: 'Known' })
  const headers = { authorization: `Bearer ${alice.token}` }
  const response = await fetch(`${baseUrl}/api/feed?cursor=0.0`, { headers })
  let text = ''
  for await (const bytes of response.body ?? []) {
    text += Buffer.from(bytes).toString('utf8')
    if (text.includes(project.id)) break
  }
  expect(text).toMatch(/^:\n\nid: 0\.0\.\d+\nevent: start\ndata: {"version":"[^"]+"}\n\n/)
})

import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { testAt } from '../testing/place.ts'

const test = testAt(({ baseUrl }) =>
  Promise.resolve({
    get: (path: string) => fetch(new URL(path, baseUrl), { headers: { accept: 'text/html' } }),
  }),
)

test('where a notice of a webhook leads, a browser is told how its log is read', async ({
  place,
}) => {
  const id = randomUUID()
  const answer = await place.get(`/w/acme/webhooks/${id}`)
  const text = await answer.text()
  expect(answer.status).toBe(200)
  expect(text).toContain(`<code>svc webhooks deliveries ${id}</code>`)
  expect(text).toContain(`<code>svc webhooks enable ${id}</code>`)
  expect((await place.get('/w/acme/webhooks/none')).url).toContain('/signin?')
})

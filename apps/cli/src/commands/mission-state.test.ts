import { expect, test } from 'vitest'
import { at, calls, routes, shownAt, svc, useAnswers } from '../testing/answers.ts'

useAnswers()

const path = '/api/missions/web%3A12/shared-state'
const entry = {
  key: 'port',
  value: { http: 4600 },
  revision: 7,
  updatedAt: at,
  setBy: { name: 'Alice', role: 'person' },
}

test('what the agents of a mission share is listed', async () => {
  routes[`GET ${path}`] = () => ({ sharedState: [entry] })
  const { stdout } = await svc('missions', 'state', 'list', 'web:12')
  expect(stdout.split('\n')[1]).toBe(`port  {"http":4600}  7         ${shownAt}  Alice (person)`)
})

test('a key is set as JSON or as a text, and removed, at the revision that it has', async () => {
  routes[`GET ${path}`] = () => ({ sharedState: [entry] })
  routes[`PUT ${path}/port`] = () => ({ entry })
  routes[`PUT ${path}/note`] = () => ({ entry: null })
  await svc('missions', 'state', 'set', 'web:12', 'port', '{"http":1}')
  await svc('missions', 'state', 'set', 'web:12', 'note', 'in words', '--expected-revision', '3')
  const { stdout } = await svc('missions', 'state', 'remove', 'web:12', 'note')
  expect(calls.filter(({ route }) => route.startsWith('PUT')).map(({ body }) => body)).toEqual([
    { value: { http: 1 }, expectedRevision: 7 },
    { value: 'in words', expectedRevision: 3 },
    { value: null, expectedRevision: 0 },
  ])
  expect(stdout).toBe('removed note\n')
})

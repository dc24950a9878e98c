import { expect, test } from 'vitest'
import {
  at,
  event,
  id,
  mission,
  objective,
  request,
  routes,
  shownAt,
  svc,
  useAnswers,
} from '../testing/answers.ts'

useAnswers()

test('a run is shown with its times on this clock, and as JSON with those of the service', async () => {
  const config = { model: {}, reasoningEffort: {} }
  const run = { ...request, status: 'cancelled', config, endedAt: at }
  routes[`GET /api/execution-requests/${request.id}`] = () => ({ executionRequest: run })
  routes[`GET /api/objectives/${objective.id}`] = () => ({ objective })
  routes[`GET /api/missions/${mission.id}`] = () => ({ mission, objectives: [objective] })
  routes[`GET /api/missions/${mission.id}/events?limit=200`] = () => ({ events: [] })
  const { stdout } = await svc('runs', 'show', request.id)
  expect(stdout).toMatch(/^queued at +2026-01-02 08:49:05 \+05:45$/m)
  expect(stdout).toMatch(/^ended at +2026-01-02 08:49:05 \+05:45$/m)
  const json = await svc('runs', 'show', request.id, '--json')
  expect(JSON.parse(json.stdout).executionRequest).toMatchObject({ createdAt: at, endedAt: at })
})

test('what happens in a mission is printed by this clock', async () => {
  routes['GET /api/missions/web%3A12'] = () => ({
    mission: { ...mission, phase: 'review' },
    objectives: [],
  })
  routes['GET /api/missions/web%3A12/events'] = () => ({ events: [event('11', 'update', 'Done')] })
  const { stdout } = await svc('missions', 'watch', 'web:12', '--until', 'review')
  expect(stdout).toBe(`08:49:05 +05:45  ${'update'.padEnd(20)}  Done  alice\n`)
  const json = await svc('missions', 'watch', 'web:12', '--until', 'review', '--json')
  expect(JSON.parse(json.stdout).createdAt).toBe(at)
})

test('whoever is signed in sees by this clock until when', async () => {
  const token = { label: 'laptop', preset: 'full', expiresAt: at }
  const user = { id: id('01'), name: 'Alice', email: 'alice@example.com' }
  const workspace = { id: id('02'), slug: 'acme', name: 'Acme' }
  routes['GET /api/me'] = () => ({ user, workspace, role: 'owner', token })
  expect((await svc('whoami')).stdout).toContain(`laptop (full, until ${shownAt})`)
  expect(JSON.parse((await svc('whoami', '--json')).stdout).token.expiresAt).toBe(at)
})

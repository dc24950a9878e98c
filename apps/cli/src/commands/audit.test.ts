import { expect, test } from 'vitest'
import { at, id, routes, shownAt, svc, useAnswers } from '../testing/answers.ts'

useAnswers()

const entry = {
  id: id('01'),
  at,
  action: 'token.minted',
  actor: { id: id('02'), name: 'alice' },
  by: { kind: 'runner', label: 'box', executionRequestId: null },
  tokenPrefix: 'svcut_abcdefgh',
  from: '192.0.2.7',
  projectId: null,
  targetId: id('03'),
  details: { label: 'laptop' },
}

const nobody = { actor: null, by: null, tokenPrefix: null }

test('the audit trail is a table that says who, what, when and from where', async () => {
  const server = { ...entry, ...nobody, from: null, details: {} }
  const failed = { ...entry, ...nobody, action: 'sign_in.failed' }
  routes['GET /api/audit?limit=2&action=token.minted'] = () => ({
    entries: [entry, failed, server],
    nextCursor: id('01'),
  })
  const argv = ['audit', '--limit', '2', '--action', 'token.minted']
  const { stdout, stderr } = await svc(...argv)
  expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
    ['WHEN', 'WHO', 'BY', 'WHAT', 'OF', 'TOKEN', 'FROM'],
    [shownAt, 'alice', 'runner box', 'token.minted', 'laptop', 'svcut_abcdefgh', '192.0.2.7'],
    [shownAt, 'somebody', '-', 'sign_in.failed', 'laptop', '-', '192.0.2.7'],
    [shownAt, 'the server', '-', 'token.minted', id('03'), '-', '-'],
    [''],
  ])
  expect(stderr).toBe(`There are more: svc ${argv.join(' ')} --cursor ${id('01')}\n`)
})

test('it is asked for by person, by what was changed, and by time', async () => {
  const since = '2026-10-31T18:15:00.000Z'
  const before = '2026-11-02T09:30:00.000Z'
  const query = new URLSearchParams({ limit: '50', actorId: id('02'), targetId: id('03'), since })
  query.set('before', before)
  routes['GET /api/members?limit=200'] = () => ({
    members: [
      { id: id('02'), name: 'alice', email: 'alice@example.com', role: 'admin', joinedAt: at },
    ],
  })
  routes[`GET /api/audit?${query.toString()}`] = () => ({ entries: [entry] })
  const argv = ['--by', 'Alice@example.com', '--of', id('03'), '--since', '2026-11-01']
  expect((await svc('audit', ...argv, '--before', before)).stdout).toContain('token.minted')
})

test('what somebody did with their own account is of them', async () => {
  const own = { ...entry, action: 'sign_in.started', targetId: id('02'), details: {} }
  routes['GET /api/audit?limit=50'] = () => ({ entries: [own] })
  expect((await svc('audit')).stdout).toMatch(/sign_in\.started +alice +svcut/)
})

test('what was deleted is named as it was', async () => {
  const details = { displayId: 'web:12', title: 'Dark mode' }
  routes['GET /api/audit?limit=50'] = () => ({
    entries: [{ ...entry, action: 'mission.deleted', details }],
  })
  expect((await svc('audit')).stdout).toContain('mission.deleted  web:12  ')
})

test('whoever a provider vouched for is named by it, and the account that lost its address by its name', async () => {
  const details = { name: 'Not Ines', email: 'ines@example.com', provider: 'corp' }
  const released = { ...entry, action: 'email.released', ...nobody, details }
  routes['GET /api/audit?limit=50'] = () => ({ entries: [released] })
  expect((await svc('audit')).stdout).toMatch(/somebody by corp +- +email\.released +Not Ines/)
})

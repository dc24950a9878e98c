import { expect, test } from 'vitest'
import { at, id, routes, shownAt, svc, useAnswers } from '../testing/answers.ts'

useAnswers()

const entry = {
  id: id('01'),
  at,
  action: 'token.minted',
  actor: { id: id('02'), name: 'alice' },
  tokenPrefix: 'svcut_abcdefgh',
  from: '192.0.2.7',
  projectId: null,
  targetId: id('03'),
  details: { label: 'laptop' },
}

test('the audit trail is a table that says who, what, when and from where', async () => {
  const server = { ...entry, actor: null, tokenPrefix: null, from: null, details: {} }
  const failed = { ...entry, action: 'sign_in.failed', actor: null, tokenPrefix: null }
  routes['GET /api/audit?limit=2&action=token.minted'] = () => ({
    entries: [entry, failed, server],
    nextCursor: id('01'),
  })
  const argv = ['audit', '--limit', '2', '--action', 'token.minted']
  const { stdout, stderr } = await svc(...argv)
  expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
    ['WHEN', 'WHO', 'WHAT', 'OF', 'TOKEN', 'FROM'],
    [shownAt, 'alice', 'token.minted', 'laptop', 'svcut_abcdefgh', '192.0.2.7'],
    [shownAt, 'somebody', 'sign_in.failed', 'laptop', '-', '192.0.2.7'],
    [shownAt, 'the server', 'token.minted', id('03'), '-', '-'],
    [''],
  ])
  expect(stderr).toBe(`More: --cursor ${id('01')}\n`)
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
  const released = { ...entry, action: 'email.released', actor: null, tokenPrefix: null, details }
  routes['GET /api/audit?limit=50'] = () => ({ entries: [released] })
  expect((await svc('audit')).stdout).toMatch(/somebody by corp +email\.released +Not Ines/)
})

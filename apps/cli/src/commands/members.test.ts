import { describe, expect, test } from 'vitest'
import { at, calls, id, routes, shownAt, svc, useAnswers } from '../testing/answers.ts'

useAnswers()

const anna = { id: id('31'), name: 'anna', email: 'Anna@example.com', role: 'member', joinedAt: at }

describe('svc members', () => {
  test('means a member by the address, however it is written', async () => {
    routes['GET /api/members?limit=200'] = () => ({ members: [], nextCursor: 'c' })
    routes['GET /api/members?limit=200&cursor=c'] = () => ({ members: [anna] })
    routes[`PATCH /api/members/${anna.id}`] = () => ({ member: { ...anna, role: 'admin' } })
    const { code, stdout } = await svc('members', 'role', 'anna@EXAMPLE.com', 'admin')
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Anna@example.com is admin now\n' })
    expect(calls.at(-1)?.body).toEqual({ role: 'admin' })
  })

  test('changes nothing for an address that nobody has, or a role that there is not', async () => {
    routes['GET /api/members?limit=200'] = () => ({ members: [anna] })
    expect((await svc('members', 'remove', 'bob@example.com')).code).toBe(4)
    expect((await svc('members', 'role', anna.email, 'king')).code).toBe(2)
    expect(calls.map(({ route }) => route)).toEqual(['GET /api/members?limit=200'])
  })

  test('shows what ends with the membership of somebody, whatever it is called', async () => {
    const nothing = { newest: [], more: false }
    const ends = {
      tokens: {
        newest: [{ workspace: 'acme', label: 'lap\u202E', prefix: 'svcut_x' }],
        more: true,
      },
      applications: nothing,
      runners: nothing,
      runs: nothing,
      invitations: { newest: [{ email: 'new@example.com', role: 'viewer' }], more: false },
    }
    routes[`GET /api/members/${anna.id}/access`] = () => ({ ends })
    const { stdout } = await svc('members', 'access', anna.id)
    expect(stdout.split('\n')).toEqual([
      `With the membership of ${anna.id} this ends:`,
      '  token: lap  (svcut_x…)',
      '  token: and more',
      '  invitation: new@example.com, as viewer',
      '',
    ])
  })

  test('leaves the workspace that is named', async () => {
    routes['DELETE /api/members/me?workspace=acme'] = () => ({})
    const { code, stdout } = await svc('members', 'leave', 'acme', '--json')
    expect([code, JSON.parse(stdout)]).toEqual([0, { left: 'acme' }])
  })
})

test('svc invite prints the link alone, and says on standard error whom it is for and until when', async () => {
  const link = 'https://svc.example.com/invite?token=x'
  routes['POST /api/invitations'] = () => ({ invitation: { expiresAt: at }, link })
  const { code, stdout, stderr } = await svc('invite', anna.email, '--role', 'viewer')
  expect({ code, stdout }).toEqual({ code: 0, stdout: `${link}\n` })
  expect(stderr).toContain(`good until ${shownAt}: hand it to ${anna.email} alone. An earlier one`)
  expect(calls[0]?.body).toEqual({ email: anna.email, role: 'viewer' })
})

test('svc workspace shows and changes what it is called and how long its tokens live', async () => {
  const workspace = { id: id('01'), slug: 'acme', name: 'Acme', maxTokenDays: 30, revision: 2 }
  routes['GET /api/workspace'] = () => ({ workspace })
  routes['PATCH /api/workspace'] = () => ({ workspace })
  expect((await svc('workspace', 'show')).stdout).toMatch(/acme[\s\S]*30/)
  await svc('workspace', 'rename', 'Acme')
  await svc('workspace', 'token-days', '30', '--expected-revision', '2')
  expect(calls.slice(1).map(({ body }) => body)).toEqual([
    { name: 'Acme' },
    { maxTokenDays: 30, expectedRevision: 2 },
  ])
})

test('svc workspace deletes by the name that is typed, and says until when and how it is restored', async () => {
  const workspace = { id: id('01'), slug: 'acme', name: 'Acme', maxTokenDays: 30, revision: 2 }
  routes['POST /api/workspace/delete'] = () => ({ workspace, restorableUntil: at })
  routes['POST /api/workspace/restore'] = () => ({ workspace })
  const { code, stdout } = await svc('workspace', 'delete', 'Acme')
  expect(calls.at(-1)?.body).toEqual({ name: 'Acme' })
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: `deleted Acme. Until ${shownAt} an owner restores it: svc workspace restore\n`,
  })
  expect((await svc('workspace', 'restore')).stdout).toContain('Runs stay cancelled')
})

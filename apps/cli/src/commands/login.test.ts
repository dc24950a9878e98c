import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { environment, id, routes, useAnswers } from '../testing/answers.ts'
import { runInTest } from '../testing/cli.ts'

useAnswers()

/** A service that answers the polls of its only request one after the other. */
function serve(...states: string[]): void {
  const { SVC_BACKEND_URL: baseUrl } = environment()
  routes['POST /api/login-requests'] = () => ({
    id: id('01'),
    code: 'BCDF-7K4M',
    address: `${baseUrl}/login/approve?request=x`,
    pollSeconds: 0,
    expiresAt: new Date(Date.now() + 600_000).toISOString(),
  })
  routes[`POST /api/login-requests/${id('01')}/poll`] = () => {
    const state = states.shift() ?? 'expired'
    return { state, granted: state === 'approved' ? { token: 'fresh', userToken: {} } : null }
  }
  routes['GET /api/me'] = () => ({
    user: { name: 'alice', email: 'alice@example.com' },
    workspace: { id: id('02'), slug: 'here', name: 'Here' },
    token: null,
  })
}

function machine() {
  const home = mkdtempSync(join(tmpdir(), 'svc-login-'))
  onTestFinished(() => rmSync(home, { recursive: true }))
  const { SVC_BACKEND_URL } = environment()
  return {
    path: join(home, 'svc', 'credentials.json'),
    svc: (...argv: string[]) =>
      runInTest({ XDG_CONFIG_HOME: home, SVC_BACKEND_URL, SVC_USER_TOKEN: 'older' }, ...argv),
  }
}

test('svc login prints what would surprise: another workspace, and a token that stands above', async () => {
  serve('pending', 'approved')
  const { path, svc } = machine()
  const { code, stdout, stderr } = await svc('login', '--no-browser', '--workspace', 'elsewhere')
  expect(code).toBe(0)
  expect(stdout).toContain('alice@example.com')
  expect(stderr).toContain('/login/approve?request=x&workspace=elsewhere')
  expect(stderr).toContain('approve the code  BCDF-7K4M')
  expect(stderr).toContain('It was approved for here, and not for elsewhere.')
  expect(stderr).toContain('SVC_USER_TOKEN is set and stands above this login')
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
    token: 'fresh',
    workspace: 'here',
  })
})

test.for([
  ['denied', 'denied: It was denied. Nobody is signed in.'],
  ['expired', 'expired: Nobody approved it in time'],
] as const)('svc login that is %s says so, exits 3 and keeps nothing', async ([state, message]) => {
  serve('pending', state)
  const { path, svc } = machine()
  const { code, stdout, stderr } = await svc('login', '--no-browser')
  expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
  expect(stderr).toContain(message)
  expect(existsSync(path)).toBe(false)
})

test('svc login --json prints a failure as JSON, last of all', async () => {
  serve('denied')
  const { stderr } = await machine().svc('login', '--no-browser', '--json')
  expect(JSON.parse(stderr.trim().split('\n').at(-1) ?? '')).toMatchObject({
    error: { code: 'denied' },
  })
})

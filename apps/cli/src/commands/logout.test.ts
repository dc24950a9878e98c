import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { environment, routes, useAnswers } from '../testing/answers.ts'
import { runInTest } from '../testing/cli.ts'

useAnswers()

const baseUrl = () => environment().SVC_BACKEND_URL

/** A machine on which somebody is signed in there. */
function signedInTo(url: string) {
  const home = mkdtempSync(join(tmpdir(), 'svc-logout-'))
  onTestFinished(() => rmSync(home, { recursive: true }))
  const path = join(home, 'svc', 'credentials.json')
  mkdirSync(join(home, 'svc'))
  writeFileSync(path, JSON.stringify({ baseUrl: url, token: 'mine' }), { mode: 0o600 })
  return { path, svc: (...argv: string[]) => runInTest({ XDG_CONFIG_HOME: home }, ...argv) }
}

test('svc logout removes a token that is dead already, and says so', async () => {
  const { path, svc } = signedInTo(baseUrl())
  const error = { code: 'unauthenticated', message: 'No valid access token.', requestId: 'r' }
  routes['DELETE /api/user-tokens/current'] = () => ({ error })
  const { code, stdout } = await svc('logout')
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: `signed out of ${baseUrl()}: the token was dead already\n`,
  })
  expect(existsSync(path)).toBe(false)
})

test('svc logout keeps a token that it could not end', async () => {
  const { path, svc } = signedInTo(baseUrl())
  const error = { code: 'internal', message: 'Something went wrong here.', requestId: 'r' }
  routes['DELETE /api/user-tokens/current'] = () => ({ error })
  expect((await svc('logout')).code).toBe(1)
  expect(existsSync(path)).toBe(true)
})

test('svc logout ends the login to the workspace that is named, and leaves the others', async () => {
  const { path, svc } = signedInTo(baseUrl())
  const others = [{ baseUrl: baseUrl(), token: 'theirs', workspace: 'side' }]
  const first = { baseUrl: baseUrl(), token: 'mine', workspace: 'main' }
  writeFileSync(path, JSON.stringify({ ...first, others }), { mode: 0o600 })
  routes['DELETE /api/user-tokens/current'] = () => ({})
  expect((await svc('logout', '--workspace', 'side')).code).toBe(0)
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(first)
  expect((await svc('logout', '--workspace', 'side')).stderr).toContain(
    'Nobody signed in here for side by svc login',
  )
})

test('what is not in the workspace of the newest login may be in another, which is said', async () => {
  const { path, svc } = signedInTo(baseUrl())
  const others = [{ baseUrl: baseUrl(), token: 'theirs', workspace: 'side' }]
  const first = { baseUrl: baseUrl(), token: 'mine', workspace: 'main' }
  writeFileSync(path, JSON.stringify({ ...first, others }), { mode: 0o600 })
  const error = { code: 'not_found', message: 'No mission web:7 here.', requestId: 'r' }
  routes['GET /api/missions/web%3A7/overview'] = () => ({ error })
  const { code, stderr } = await svc('missions', 'show', 'web:7')
  expect(code).toBe(4)
  expect(stderr).toContain(
    'No mission web:7 here. It was looked for in main; this machine is signed in elsewhere, too: --workspace side.',
  )
  const inSide = await svc('--workspace', 'side', 'missions', 'show', 'web:7')
  expect(inSide.stderr).toContain('It was looked for in side')
})

test('svc logout where nobody signed in says so, and exits 3', async () => {
  const { svc } = signedInTo('https://other.example')
  const { code, stderr } = await svc('logout', '--url', baseUrl())
  expect(code).toBe(3)
  expect(stderr).toContain(`no_credential: Nobody signed in here to ${baseUrl()} by svc login`)
})

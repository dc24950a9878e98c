import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRepository } from '@svc/testing/temporary'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { at, routes, svc, useAnswers } from '../testing/answers.ts'

useAnswers()

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'svc-status-'))
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(home, { recursive: true })
})

const statusWithRunner = async (label: string, state: string) => {
  const capacity = { max: 2, running: 0 }
  routes['GET /api/runners'] = () => ({
    runners: [{ label, state, capacity, agents: [], lastHeardAt: at }],
  })
  return (await svc('runner', 'status', '--runner-home', home)).stdout
}

test('what this machine has nothing of is said to be none', async () => {
  const printed = await statusWithRunner('box', 'connected')
  for (const head of ['LINKED', 'RUN HERE', 'WORKTREE OF'])
    expect(printed).toMatch(new RegExp(`^${head}.*\nnone$`, 'm'))
})

test.each([
  ['of another machine', 'box', 'connected', 'not running: svc runner start'],
  ['that is gone', hostname(), 'unavailable', 'not running: svc runner start'],
  ['of another folder', hostname(), 'connected', 'not running in this folder; the connected'],
])(
  'a runner %s is distinguished from the one of this folder',
  async (_, label, state, expected) => {
    const printed = await statusWithRunner(label, state)
    expect(printed).toMatch(new RegExp(`^daemon +${expected}`, 'm'))
    expect(printed).toMatch(new RegExp(`^RUNNER OF THE WORKSPACE.*\n${label} +${state}`, 'm'))
  },
)

test('a run whose runner the service refuses says so, and what helps, also while its agent is ended', async () => {
  const folder = join(home, 'runs', `${'0198c0de-0000-7000-8000-000000000001'}.1`)
  mkdirSync(folder, { recursive: true })
  const steps = [{ step: 'launched' }, { step: 'refused', code: 'unauthenticated' }]
  const journal = [...steps, { step: 'exited', exitCode: null, signal: 'SIGINT' }]
  writeFileSync(
    join(folder, 'journal.ndjson'),
    journal.map((step) => `${JSON.stringify(step)}\n`).join(''),
  )
  expect(await statusWithRunner('box', 'connected')).toMatch(
    /^\S+\.1 +refused: the service does not take the token .* svc login, then svc runner start/m,
  )
})

test('a run that was claimed for another login is shown with whose it is', async () => {
  const run = join(home, 'runs', `${'0198c0de-0000-7000-8000-000000000001'}.1`)
  mkdirSync(run, { recursive: true })
  const person = { userId: 'u', email: 'ada@acme.example', workspaceId: 'w', workspace: 'acme' }
  const claimant = { service: 'https://a.example', person }
  writeFileSync(join(run, 'claimant.json'), JSON.stringify(claimant))
  expect(await statusWithRunner('box', 'connected')).toMatch(
    /^\S+\.1 +claimed +https:\/\/a.example, workspace acme, ada@acme.example$/m,
  )
})

test('a worktree that Git refuses because it belongs to another user is listed with what helps', async () => {
  const checkout = join(home, 'worktrees', 'web', 'web', 'foreign')
  mkdirSync(checkout, { recursive: true })
  createRepository(checkout)
  const path = process.env['PATH'] ?? ''
  const script = `#!/bin/sh\nPATH='${path}' GIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec git "$@"\n`
  writeFileSync(join(home, 'git'), script, { mode: 0o755 })
  vi.stubEnv('PATH', `${home}:${path}`)
  vi.stubEnv('GIT_CONFIG_GLOBAL', '/dev/null')
  const printed = await statusWithRunner('box', 'connected')
  expect(printed).toContain(`Git does not list its worktrees: Git refuses ${checkout}`)
  expect(printed).toContain('--add safe.directory')
})

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeAssignment, thisRunner } from '@svc/runner/testing/assignment'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { calls, environment, routes, svc, useAnswers } from '../testing/answers.ts'
import { runInTest } from '../testing/cli.ts'

useAnswers()

const path = '/api/objectives/web%3A7.k7qd/launch-preview'
const launchSettings = {
  launchEnvVars: { API_KEY: 'hush-hush' },
  preLaunchCommands: ['make {TMP}'],
}

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'svc-preview-'))
  launching = ['launch', 'web:7.k7qd', '--agent', 'codex', '--dry-run', '--runner-home', home]
})
afterEach(() => rmSync(home, { recursive: true }))

let launching: string[]
const dryRun = (...argv: string[]) => svc(...launching, ...argv)

describe('launch --dry-run', () => {
  test('shows the run as this machine would start it, and queues nothing', async () => {
    const assignment = makeAssignment({ agent: 'codex' })
    routes[`GET ${path}?agent=codex`] = () => ({ assignment })
    routes['GET /api/runners'] = () => ({
      runners: [{ id: thisRunner, label: 'laptop', agents: ['codex'] }],
    })
    const { code, stdout } = await dryRun()
    expect(code).toBe(0)
    for (const text of ['web:7.k7qd with codex in ', 'SVC_OBJECTIVE_ID=web:7.k7qd', '<briefing>'])
      expect(stdout).toContain(text)
    expect(calls.every(({ route }) => route.startsWith('GET '))).toBe(true)
  })

  test('says what the agent may do, where that comes from, and what this machine makes of it', async () => {
    const agentRights = { codex: 'all' as const }
    const assignment = makeAssignment({ agent: 'codex', launchSettings: { agentRights } })
    routes[`GET ${path}?agent=codex`] = () => ({ assignment })
    routes['GET /api/runners'] = () => ({ runners: [] })
    expect((await dryRun()).stdout).toMatch(
      /^rights\n {2}all: codex may do .*\n {2}the project sets all; this runner has no bound$/m,
    )
    const bound = { ...environment(), SVC_RUNNER_MAX_RIGHTS: 'read' }
    const { stdout } = await runInTest(bound, ...launching)
    expect(stdout).toMatch(
      /^rights\n {2}read: codex may .*\n {2}the project sets all; this runner gives at most read$/m,
    )
    expect(stdout).toContain('gives agents at most the rights `read`')
    const mistaken = { ...bound, SVC_RUNNER_MAX_RIGHTS: 'none' }
    expect((await runInTest(mistaken, ...launching)).code).toBe(2)
  })

  test('fails where the run would not start, and names the step that helps', async () => {
    const assignment = makeAssignment({ agent: 'codex', launchSettings })
    routes[`GET ${path}?agent=codex&model=o5&fromBase=true`] = () => ({ assignment })
    routes['GET /api/runners'] = () => ({ runners: [] })
    const { code, stdout, stderr } = await dryRun('--model', 'o5', '--from-base')
    expect(code).toBe(5)
    expect(stdout).toContain('launch_config_untrusted')
    expect(stdout).toContain('API_KEY=[masked]')
    expect(stdout).not.toContain('hush-hush')
    expect(stderr).toContain('svc runner trust web')
  })

  test('names the runner as the listing of runners does', async () => {
    const assignment = makeAssignment({ agent: 'codex', launchSettings })
    routes[`GET ${path}?agent=codex`] = () => ({ assignment })
    const runner = { id: thisRunner, label: 'bob-box', agents: ['codex'] }
    routes['GET /api/runners'] = () => ({ runners: [runner] })
    expect((await dryRun()).stdout).toContain('Runner bob-box does not trust')
  })

  test('fails where the resource is not linked', async () => {
    const assignment = makeAssignment({ agent: 'codex', resourceKey: 'web' })
    routes[`GET ${path}?agent=codex`] = () => ({ assignment })
    routes['GET /api/runners'] = () => ({ runners: [] })
    const { code, stderr } = await dryRun('--json')
    expect(code).toBe(5)
    expect(stderr).toContain('is not linked on this machine')
  })
})

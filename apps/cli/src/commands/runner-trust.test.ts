import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { environment, id, routes, svc, useAnswers } from '../testing/answers.ts'
import { runAndAnswer, runInTest } from '../testing/cli.ts'

useAnswers()

const settings = {
  preCommand: 'nvm exec',
  preLaunchCommands: ['pnpm install', 'echo a\nrm -rf  b'],
  launchEnvVars: { API_KEY: 'hush-hush' },
  agents: { claude: { model: 'opus', flags: ['--fast'] } },
  pushBranches: false,
  allowedCommands: ['npm test'],
  checks: {},
  revision: 3,
}

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'svc-trust-'))
  routes['GET /api/projects/web'] = () => ({ project: { id: id('02'), slug: 'web' } })
  serve(settings)
  link()
})
afterEach(() => rmSync(home, { recursive: true }))

function serve(launchSettings: object): void {
  routes['GET /api/projects/web/launch-settings'] = () => ({ launchSettings })
}

function link(...resources: { resourceKey: string; cloneUrl?: string }[]): void {
  routes['GET /api/projects/web/resources'] = () => ({ resources })
}

const trust = (...argv: string[]) => svc('runner', 'trust', ...argv, '--runner-home', home)
const answer = (word: string) =>
  runAndAnswer(word, environment(), 'runner', 'trust', 'web', '--runner-home', home)
const kept = () => JSON.parse(readFileSync(join(home, 'trust.json'), 'utf8'))

describe('trusting the launch settings of a project', () => {
  test('shows all of them as they are, and asks', async () => {
    const { code, stderr } = await answer('n')
    for (const line of [
      '+ command in front of the agent: nvm exec',
      '+ command 1 before the agent: pnpm install',
      String.raw`+ command 2 before the agent: "echo a\nrm -rf  b"`,
      '+ variable API_KEY: hush-hush',
      '+ flags of claude: --fast',
      '+ command 1 that agents may run: npm test',
    ])
      expect(stderr).toContain(`${line}\n`)
    expect(stderr).toContain('runs in a shell, in the checkout, as you')
    expect(code).toBe(1)
    expect(kept).toThrow('ENOENT')
    expect((await answer('y')).code).toBe(0)
    expect(kept()).toMatchObject([{ projectId: id('02'), projectSlug: 'web' }])
    expect(statSync(join(home, 'trust.json')).mode & 0o777).toBe(0o600)
  })

  test('shows what has changed since it was last trusted', async () => {
    await answer('yes')
    expect((await trust('web')).stdout).toContain('already')
    const launchEnvVars = { API_KEY: 'hush-hush', DEBUG: '' }
    serve({ ...settings, preCommand: null, launchEnvVars, preLaunchCommands: ['pnpm i'] })
    const { stderr } = await trust('web', '--yes')
    expect(stderr.split('\n').filter((line) => /^[+ -] /.test(line))).toEqual([
      '  flags of claude: --fast',
      '- command 1 before the agent: pnpm install',
      '+ command 1 before the agent: pnpm i',
      '  variable API_KEY: hush-hush',
      '+ variable DEBUG: ""',
      '  command 1 that agents may run: npm test',
      '- command in front of the agent: nvm exec',
      String.raw`- command 2 before the agent: "echo a\nrm -rf  b"`,
    ])
    expect(kept()).toHaveLength(1)
  })

  test('shows what an agent may do from now on, also where it is what agents usually may', async () => {
    const none = { preLaunchCommands: [], launchEnvVars: {}, allowedCommands: [] }
    const giving = (rights: string) => ({
      ...settings,
      ...none,
      preCommand: null,
      agents: { claude: { rights } },
    })
    const shown = async () => (await trust('web', '--yes')).stderr.match(/^[+-] .*?(?=:? it may)/gm)
    serve(giving('read'))
    expect(await shown()).toEqual(['+ rights of claude: read'])
    serve(giving('all'))
    expect(await shown()).toEqual(['- rights of claude: read', '+ rights of claude: all'])
    serve(giving('work'))
    expect(await shown()).toEqual(['- rights of claude: all', '+ rights of claude: work'])
  })

  test('has nothing to ask of a project that adds nothing', async () => {
    const none = { preLaunchCommands: [], launchEnvVars: {}, agents: {}, allowedCommands: [] }
    serve({ ...settings, ...none, preCommand: null })
    const { code, stdout } = await trust('web')
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('nothing') })
    expect(kept).toThrow('ENOENT')
  })

  test('includes from where a runner may clone, also where there is nothing else', async () => {
    const none = { preLaunchCommands: [], launchEnvVars: {}, agents: {}, allowedCommands: [] }
    serve({ ...settings, ...none, preCommand: null })
    const cloneUrl = 'https://git.example.com/web.git'
    link({ resourceKey: 'web', cloneUrl }, { resourceKey: 'docs' })
    expect((await trust('web', '--yes')).stderr).toContain(`+ web is cloned from ${cloneUrl}\n`)
    expect(kept()).toMatchObject([{ cloneUrls: { web: cloneUrl } }])
    expect((await trust('web')).stdout).toContain('already')
    link({ resourceKey: 'web', cloneUrl: 'https://elsewhere.example.com/web.git' })
    expect((await trust('web', '--yes')).stderr).toContain(
      `- web is cloned from ${cloneUrl}\n+ web`,
    )
  })

  test('is for the address by which the runner reaches the service, where that is another one', async () => {
    await trust('web', '--yes')
    const inside = ['--service', 'http://api.svc.svc:4600']
    await trust('web', '--yes', ...inside)
    expect(kept()).toMatchObject([{}, { projectSlug: 'web', service: 'http://api.svc.svc:4600' }])
    await trust('web', '--revoke', ...inside)
    expect(kept()).toHaveLength(1)
    expect((await trust('web', '--yes', '--service', 'api:4600')).code).toBe(2)
  })

  test('needs --yes where nobody can be asked', async () => {
    const { code, stderr } = await trust('web')
    expect(code).toBe(2)
    expect(stderr).toContain('--yes')
    expect((await trust('web', '--yes', '--json')).code).toBe(0)
  })

  test('is listed without values, and revoked', async () => {
    await trust('web', '--yes')
    const { stdout } = await trust('--list', '--json')
    expect(JSON.parse(stdout)).toMatchObject({ trusted: [{ projectSlug: 'web' }] })
    expect(stdout).not.toContain('hush-hush')
    await trust('web', '--revoke')
    expect(kept()).toEqual([])
    expect((await trust('web', '--revoke')).code).toBe(4)
    expect((await trust()).code).toBe(2)
  })
  test('is revoked for one of two services behind one host', async () => {
    await trust('web', '--yes')
    const [here] = kept()
    const other = { ...here, service: `${here.service}/other` }
    writeFileSync(join(home, 'trust.json'), JSON.stringify([other, here]))
    expect((await trust('web', '--revoke')).code).toBe(0)
    expect(kept()).toEqual([other])
    expect((await trust('web', '--revoke')).code).toBe(4)
    expect(kept()).toEqual([other])
  })
})

test('who sets what the runner of this machine trusts is told that it does', async () => {
  const set = async () => {
    const argv = ['projects', 'launch-settings', 'set', 'web', '--push-branches', 'off']
    return (await runInTest({ ...environment(), SVC_RUNNER_HOME: home }, ...argv)).stderr
  }
  routes['PATCH /api/projects/web/launch-settings'] = () => ({ launchSettings: settings })
  expect(await set()).toMatch(/^A runner refuses .*: svc runner trust web\n$/)
  await trust('web', '--yes')
  expect(await set()).toMatch(/^The runner of this machine trusts this\. Any other refuses /)
  writeFileSync(join(home, 'trust.json'), '[{}]')
  expect(await set()).toMatch(/^A runner refuses /)
})

import { beforeEach, describe, expect, test } from 'vitest'
import { calls, id, routes, svc, useAnswers } from '../testing/answers.ts'

useAnswers()

const path = '/api/projects/web/launch-settings'
const launchSettings = {
  preCommand: 'nvm exec',
  preLaunchCommands: ['pnpm install'],
  launchEnvVars: { NODE_ENV: 'test', API_KEY: 'hush-hush' },
  agents: { claude: { model: 'opus', rights: 'edit', flags: ['--fast', '--loud'] } },
  pushBranches: true,
  allowedCommands: ['npm test'],
  checks: {},
  revision: 3,
}

beforeEach(() => {
  routes[`GET ${path}`] = () => ({ launchSettings })
  routes[`PATCH ${path}`] = () => ({ launchSettings })
})

describe('the launch settings of a project', () => {
  test('are shown without the values of variables', async () => {
    const { stdout } = await svc('projects', 'launch-settings', 'show', 'web')
    for (const word of [
      'nvm exec',
      'pnpm install',
      'API_KEY',
      'opus',
      'edit',
      '--fast --loud',
      'npm test',
    ])
      expect(stdout).toContain(word)
    expect(stdout).not.toContain('hush-hush')
    const { stdout: json } = await svc('projects', 'launch-settings', 'show', 'web', '--json')
    expect(JSON.parse(json)).toEqual({ launchSettings })
  })

  test('say which rights agents have that were given none', async () => {
    const show = async (agents: object) => {
      routes[`GET ${path}`] = () => ({ launchSettings: { ...launchSettings, agents } })
      return (await svc('projects', 'launch-settings', 'show', 'web')).stdout
    }
    expect(await show({})).toMatch(/^rights of agents +work \(default\)$/m)
    const some = await show({ claude: { rights: 'edit' }, codex: { model: 'o9' } })
    expect(some).toMatch(/^rights of agents +work \(default\), but for those below$/m)
    expect(some).toMatch(/^claude +- +- +edit /m)
    expect(some).toMatch(/^codex +o9 +- +work \(default\)/m)
  })

  test('are changed by variable, and what is not named stays', async () => {
    const argv = ['--env', 'NODE_ENV=a=b', '--env', 'EMPTY=', '--remove-env', 'API_KEY']
    const { stderr } = await svc('projects', 'launch-settings', 'set', 'web', ...argv)
    expect(calls.at(-1)?.body).toEqual({
      expectedRevision: 3,
      launchEnvVars: { NODE_ENV: 'a=b', EMPTY: '' },
    })
    expect(stderr).toContain('svc runner trust web')
  })

  test('name what agents may run, one by one', async () => {
    const argv = ['--allow-command', 'make lint', '--allow-command', 'npm test']
    await svc('projects', 'launch-settings', 'set', 'web', ...argv)
    const body = () => calls.at(-1)?.body
    expect(body()).toEqual({ expectedRevision: 3, allowedCommands: ['npm test', 'make lint'] })
    await svc('projects', 'launch-settings', 'set', 'web', '--disallow-command', 'npm test')
    expect(body()).toEqual({ expectedRevision: 3, allowedCommands: [] })
  })

  test('name what an agent may do, and keep what else is set for it', async () => {
    const set = (...argv: string[]) => svc('projects', 'launch-settings', 'set', 'web', ...argv)
    await set('--rights', 'claude=all', '--rights', 'codex=read')
    expect(calls.at(-1)?.body).toEqual({
      expectedRevision: 3,
      agents: {
        claude: { ...launchSettings.agents.claude, rights: 'all' },
        codex: { rights: 'read' },
      },
    })
    for (const wrong of ['claude', 'claude=', 'claude=root', '=all']) {
      const { code, stderr } = await set('--rights', wrong)
      expect({ code, stderr }).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('claude=edit'),
      })
    }
    expect((await set('--rights', 'claude=all', '--agents-json', '{}')).code).toBe(2)
  })

  test('are taken away by empty ones', async () => {
    const lists = ['--pre-launch-commands-json', '[]', '--agents-json', '{}']
    const others = ['--pre-command', '', '--push-branches', 'off']
    await svc('projects', 'launch-settings', 'set', 'web', ...others, ...lists)
    expect(calls.at(-1)?.body).toEqual({
      expectedRevision: 3,
      preCommand: null,
      preLaunchCommands: [],
      agents: {},
      pushBranches: false,
    })
  })

  test('are tried without being saved: what a launch would be made with, before and after', async () => {
    const shownFor = (rights: string, launchEnvVars: object) => ({
      config: {
        agent: { value: 'claude', source: 'request' },
        model: { value: 'opus', source: 'project' },
        reasoningEffort: { value: null, source: 'default' },
        preCommand: { value: null, source: 'default' },
        flags: { value: [], source: 'default' },
      },
      rights: { value: rights, source: 'project' },
      launchSettings: {
        preCommand: null,
        preLaunchCommands: [],
        launchEnvVars,
        agentFlags: {},
        agentRights: { claude: rights },
        pushBranches: false,
      },
      needsTrust: true,
    })
    const answer = { before: shownFor('edit', {}), after: shownFor('all', { CI: '1' }) }
    routes[`POST ${path}/preview`] = () => answer
    const set = ['projects', 'launch-settings', 'set', 'web', '--dry-run', 'claude']
    const { stdout } = await svc(...set, '--rights', 'claude=all')
    expect(calls.map(({ route }) => route)).toEqual([`GET ${path}`, `POST ${path}/preview`])
    expect(calls[1]?.body).toEqual({
      agent: 'claude',
      agents: { claude: { ...launchSettings.agents.claude, rights: 'all' } },
    })
    expect(stdout).toContain('model: opus')
    expect(stdout).toContain('rights: edit, then all')
    expect(stdout).toContain('+ variable CI: 1')
    expect(stdout).toContain('svc runner trust web')
    const { stdout: json } = await svc(...set, '--push-branches', 'on', '--json')
    expect(JSON.parse(json)).toEqual(answer)
  })

  test('take variables as NAME=value', async () => {
    const { code } = await svc('projects', 'launch-settings', 'set', 'web', '--env', 'NODE_ENV')
    expect(code).toBe(2)
  })
})

test('a project is edited', async () => {
  const project = { id: id('02'), slug: 'web', name: 'Shop', useWorktrees: false }
  routes['PATCH /api/projects/web'] = () => ({ project: { ...project, maxRuntimeMinutes: 90 } })
  const argv = ['--name', 'Shop', '--worktrees', 'off', '--max-minutes', '90']
  const { stdout } = await svc('projects', 'edit', 'web', ...argv)
  expect(calls[0]?.body).toEqual({ name: 'Shop', useWorktrees: false, maxRuntimeMinutes: 90 })
  expect(stdout).toContain('minutes at most')
  await svc('projects', 'edit', 'web', '--max-minutes', 'off')
  expect(calls[1]?.body).toEqual({ maxRuntimeMinutes: null })
})

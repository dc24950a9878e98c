import { describe, expect, test } from 'vitest'
import { groups } from '../program.ts'
import { runInTest } from '../testing/cli.ts'
import { calls, id, mission, objective, routes, svc, useAnswers } from '../testing/answers.ts'

useAnswers()

const other = { ...mission, displayId: 'web:13', title: 'Light mode' }

/** What bash gets: how the word ends, and what it may be. */
async function completed(...words: string[]) {
  const { stdout, code, stderr } = await svc('completion', 'bash', '--within', '60', '--', ...words)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const [ending, ...values] = stdout.trimEnd().split('\n')
  return { ending, values }
}

describe('a command line is completed', () => {
  test('with every command', async () => {
    const { values } = await completed('')
    expect(values).toEqual([...Object.keys(groups), 'help'])
  })

  test.each([
    [['mis'], ['missions']],
    [['missions', 're'], ['restore']],
    [['--url', 'http://127.0.0.1:1', 'missions', 'st'], ['state']],
    [['missions', 'state', 's'], ['set']],
    [['missions', 'create', '--auto'], ['--auto-advance']],
    [['missions', 'create', '--j'], ['--json']],
    [
      ['missions', 'create', '--priority', ''],
      ['low', 'normal', 'high', 'urgent'],
    ],
    [['missions', 'create', '--priority=h'], ['--priority=high']],
    [['missions', 'list', '--phase', 'execute,re'], ['execute,review']],
    [['tokens', 'create', 'x', '--permission', 'mission:r'], ['mission:read']],
    [['webhooks', 'create', 'x', '--event', 'mission.d'], ['mission.delivered']],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['missions', 'create', 'web', '--', '--auto'], []],
    [['missions', 'create', '--title-of-nothing', ''], []],
    [['nothing', ''], []],
  ])('%j with %j', async (words, values) => {
    expect(await completed(...words)).toEqual({ ending: 'closed', values })
  })

  test.each([[['protocol', 'deliver', '--report-file', '']], [['--token-file', '']]])(
    '%j with names of files',
    async (words) => {
      expect(await completed(...words)).toEqual({ ending: 'files', values: [] })
    },
  )
})

describe('what only the service knows', () => {
  test('are projects, missions and queues', async () => {
    const queue = { id: id('30'), name: 'Night shift', state: 'idle' }
    routes['GET /api/projects'] = () => ({ projects: [{ slug: 'web', name: 'Web' }] })
    routes['GET /api/missions?limit=200'] = () => ({ missions: [mission, other] })
    routes['GET /api/missions?limit=200&projectId=web'] = () => ({ missions: [mission, other] })
    routes['GET /api/projects/web/run-queues'] = () => ({ queues: [queue] })
    expect((await completed('projects', 'show', '')).values).toEqual(['web'])
    expect((await completed('missions', 'list', '--project=w')).values).toEqual(['--project=web'])
    expect((await completed('missions', 'show', 'w')).values).toEqual(['web:12', 'web:13'])
    expect((await completed('missions', 'delete', 'web:12', 'web:13')).values).toEqual(['web:13'])
    expect((await completed('queue', 'start', 'web', 'N')).values).toEqual(['Night shift'])
    const add = ['queue', 'add', 'web:12.k7qd', '--queue', '']
    expect((await completed(...add)).values).toEqual(['Night shift'])
  })

  test('are resources and recorded branches', async () => {
    const resources = [{ resourceKey: 'web', state: 'connected' }, { resourceKey: 'api' }]
    routes['GET /api/projects/web/resources'] = () => ({ resources })
    routes['GET /api/branches?limit=200'] = () => ({
      branches: [{ branch: 'dark-mode-12', mission: 'web:12' }],
    })
    const keys = ['web', 'api']
    expect((await completed('launch', 'web:12.k7qd', '--resource', '')).values).toEqual(keys)
    expect((await completed('review', 'web:12', '--resource', '')).values).toEqual(keys)
    expect((await completed('resource', 'unlink', 'web', '')).values).toEqual(keys)
    expect((await completed('branches', 'remove', 'd')).values).toEqual(['dark-mode-12'])
  })

  test('are objectives: a mission first, unless the line means one', async () => {
    routes['GET /api/missions?limit=200'] = () => ({ missions: [mission, other] })
    routes['GET /api/missions?limit=200&projectId=web'] = () => ({ missions: [mission, other] })
    routes['GET /api/missions/web%3A12'] = () => ({ mission, objectives: [objective] })
    expect(await completed('launch', '')).toEqual({
      ending: 'open',
      values: ['web:12.', 'web:13.'],
    })
    const found = { ending: 'closed', values: ['web:12.k7qd'] }
    expect(await completed('launch', 'web:12')).toEqual(found)
    expect(await completed('launch', 'web:12.')).toEqual(found)
    expect(await completed('objectives', 'reorder', 'web:12', '')).toEqual(found)
    expect(await completed('runs', 'list', '--mission', 'web:12', '--objective', '')).toEqual(found)
  })

  test('are listed with their titles where the shell shows them, on a terminal that stays whole', async () => {
    routes['GET /api/missions?limit=200&projectId=web'] = () => ({ missions: [mission] })
    const line = ['--within', '60', '--', 'missions', 'show', 'web:']
    const zsh = await svc('completion', 'zsh', ...line)
    expect(zsh.stdout).toBe('closed\nweb\\:12:Dark mode now\n')
    const fish = await svc('completion', 'fish', ...line)
    expect(fish.stdout).toBe('closed\nweb:12\tDark mode now\n')
  })

  test('are left out where the service refuses, is not there, or is not known', async () => {
    const nothing = { ending: 'closed', values: [] }
    expect(await completed('missions', 'show', '')).toEqual(nothing)
    expect(calls).toHaveLength(1)
    const away = ['--url=http://127.0.0.1:1', 'missions', 'show', '']
    expect(await completed(...away)).toEqual(nothing)
    expect(calls).toHaveLength(1)
    const alone = await runInTest({}, 'completion', 'bash', '--', 'missions', 'show', '')
    expect(alone).toEqual({ code: 0, stdout: 'closed\n', stderr: '' })
  })
})

import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { createTestDatabase } from '@svc/testing/database'
import { describe, expect, test } from 'vitest'
import { createApp } from './support/app.ts'
import { createRepository } from './support/repository.ts'
import type { Started } from './support/processes.ts'
import { expectDone, sentences } from './support/told.ts'

const wholeTimeline = [
  'queued',
  'claimed',
  'launching',
  'launched',
  'executing',
  'update',
  'delivered',
  'review',
]

describe('the standalone app', () => {
  test('with --once ends in review, exits 0 and leaves no process; so it does a second time', async () => {
    await using app = await createApp()
    const first = app.start('--once')
    await expectDone(first)
    expect(app.processes()).toEqual([])
    expect(timelineOf(first).filter((word) => word !== 'webhook')).toEqual(wholeTimeline)
    expect(webhooksOf(first)).toEqual([
      'mission.delivered',
      'mission.status_changed',
      'objective.completed',
      'svc:awaiting_approval',
    ])
    const git = (...args: string[]) =>
      execFileSync('git', args, { cwd: join(app.data, 'demo-repository'), encoding: 'utf8' }).trim()
    expect(git('log', '--format=%s', 'main..greet-the-world-1')).toContain('Write a greeting')
    expect(statSync(join(app.data, 'owner.json')).mode & 0o777).toBe(0o600)

    const second = app.start('--once')
    await expectDone(second)
    expect(second.output()).toContain('was delivered before')
    expect(app.processes()).toEqual([])
  })

  test('without the demonstration tells how to begin, by commands that work, and a name for them in any folder', async () => {
    await using app = await createApp()
    const started = app.start('--no-demo')
    await app.says(started, 'Ctrl-C stops everything; the next')
    expect(started.output()).not.toContain('demo:')
    const [create = '', link = '', plan = ''] = [
      /svc -- (projects create .+)/,
      /svc -- (resource link .+)/,
      /svc -- (missions create .+)/,
    ].map((shape) => shape.exec(started.output())?.[1])
    const repository = createRepository(join(app.data, 'mine'))
    expect(link).toContain(repository.path)
    const [alias = ''] = /alias svc=.+/.exec(started.output()) ?? []
    const script = [
      'shopt -s expand_aliases',
      alias,
      ...[create, link, plan].map((one) => `svc ${one}`),
    ]
    const told = execFileSync('bash', ['-c', script.join('\n')], {
      cwd: repository.path,
      encoding: 'utf8',
      env: { ...process.env, HOME: app.data, SVC_DATA_DIR: app.data },
    })
    expect(told).toMatch(/What to do now\n.*\n {2}svc launch mine:1\.\w+ --agent/)
    const { missions } = await app.client().call('listMissions', {})
    expect(missions).toMatchObject([{ displayId: 'mine:1' }])
    started.kill('SIGTERM')
    expect((await started.ended).code).toBe(0)
  })

  test('counts what a token calls at /mcp with what it calls of the API', async () => {
    await using database = await createTestDatabase()
    await using app = await createApp()
    app.env['DATABASE_URL'] = database.connectionString
    Object.assign(app.env, { SVC_MCP_ENABLED: 'true', SVC_LIMIT_READS: '6' })
    const started = app.start('--no-demo')
    await app.says(started, 'Ctrl-C stops everything; the next')
    const headers = { authorization: `Bearer ${app.owner().token}` }
    const statusOf = async (path: string) => (await fetch(app.url + path, { headers })).status
    let last = await statusOf('/api/me')
    expect(last).toBe(200)
    while (last === 200) last = await statusOf('/api/me')
    expect([last, await statusOf('/mcp')]).toEqual([429, 429])
  })
})

describe('a start that cannot be', () => {
  test('in a folder that the system refuses to make says so and how to go on', async () => {
    await using app = await createApp()
    app.env['SVC_DATA_DIR'] = '/proc/svc/data'
    const started = app.start('--once')
    expect((await started.ended).code).toBe(1)
    expect(sentences(started)).toEqual([expect.stringMatching(/cannot be written.* SVC_DATA_DIR/)])
  })
})

function timelineOf(started: Started): string[] {
  return [...started.stdout().matchAll(/^ {2}\d\d:\d\d:\d\d {2}(\S+)/gm)].map(
    ([, word = '']) => word,
  )
}

/** The events that its consumer verified, in no order that anybody promises. */
function webhooksOf(started: Started): string[] {
  const lines = started.stdout().matchAll(/ webhook +(\S+), signature verified/g)
  return [...new Set([...lines].map(([, type = '']) => type))].toSorted((one, other) =>
    one.localeCompare(other),
  )
}

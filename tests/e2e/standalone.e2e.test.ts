import { execFileSync } from 'node:child_process'
import { rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createTestDatabase } from '@svc/testing/database'
import { describe, expect, test } from 'vitest'
import { type App, createApp } from './support/app.ts'
import { cliMain } from './support/machine.ts'
import { createRepository } from './support/repository.ts'
import { type Started, killAll, startNode } from './support/processes.ts'
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

  test('starts PostgreSQL and daemon again when they were killed, and goes on with the commands that it prints, each of them once', async () => {
    await using app = await createApp()
    const first = app.start()
    await app.says(first, 'launched')
    killAll([await app.daemon(), await app.postgres()])
    await app.says(first, 'PostgreSQL has ended; it is started again')
    await app.says(first, 'The runner has ended; it is started again')
    await app.says(first, 'approve the next objective')
    await app.says(first, 'Ctrl-C stops everything; the next')

    const second = app.start()
    expect(await second.ended).toEqual({ code: 1, signal: null })
    expect(sentences(second)).toEqual([expect.stringContaining(`svc runs already: ${app.url}`)])

    const commands = /npm run -s svc -- (launch \S+ --watch --agent scripted)/g
    const printed = [...first.output().matchAll(commands)].map(([, words = '']) => words.split(' '))
    const [next = [], after = []] = printed
    const launch = svc(app, ...next)
    await expectDone(launch)
    expect(await states(app)).toEqual(['complete', 'complete', 'awaiting_approval'])

    const answering = /npm run -s svc -- questions answer (\S+) "(.+)"/.exec(first.output())
    const [, asking = '', words = ''] = answering ?? []
    const last = svc(app, ...after)
    await app.says(last, `svc questions answer ${asking}`)
    await expectDone(svc(app, 'questions', 'answer', asking, words))
    await expectDone(last)
    expect(await states(app)).toEqual(['complete', 'complete', 'complete', 'draft'])

    const others = [/svc -- (projects create Mine)/, /svc -- (resource link) mine "(.+)"/]
    const [make, link] = others.map((shape) => shape.exec(first.output()))
    await expectDone(svc(app, ...(make?.[1] ?? '').split(' ')))
    await expectDone(svc(app, 'resource', 'link', 'mine', join(app.data, 'demo-repository')))
    expect(link?.[2]).toBe(join(app.data, 'mine'))
    const [setUp = ''] = /http\S+\/setup\?token=\S+/.exec(first.output()) ?? []
    expect(await setPassword(setUp)).toEqual([303, '/account'])

    first.kill('SIGTERM')
    expect(await first.ended).toEqual({ code: 0, signal: null })
    expect(app.processes()).toEqual([])

    const third = app.start()
    await app.says(third, 'Ctrl-C stops everything; the next')
    const done = [...others, /svc -- launch/, /\/setup\?/]
    for (const shape of done) expect(third.output()).not.toMatch(shape)
    expect(third.output()).toContain('svc -- review demo:1')
    third.kill('SIGTERM')
    await third.ended
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

  test('in a folder that cannot be one says so and how to go on', async () => {
    await using app = await createApp()
    writeFileSync(app.data, 'a file')
    const started = app.start('--once')
    expect((await started.ended).code).toBe(1)
    expect(sentences(started)).toEqual([expect.stringMatching(/cannot be written.* SVC_DATA_DIR/)])
    rmSync(app.data)
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

async function states(app: App): Promise<string[]> {
  const client = app.client()
  const { missions } = await client.call('listMissions', {})
  const { objectives } = await client.call('getMission', { id: missions[0]?.id ?? '' })
  return objectives.map(({ state }) => state)
}

function svc(app: App, ...args: string[]): Started {
  return startNode(cliMain, args, {
    env: { SVC_BACKEND_URL: app.url, SVC_USER_TOKEN: app.owner().token },
  })
}

/** As the page behind the link does. */
async function setPassword(link: string): Promise<[status: number, location: string | null]> {
  const { origin, searchParams } = new URL(link)
  const token = searchParams.get('token') ?? ''
  const answer = await fetch(`${origin}/setup`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin },
    body: new URLSearchParams({ token, name: 'Olga', password: 'four quiet words here' }),
  })
  return [answer.status, answer.headers.get('location')]
}

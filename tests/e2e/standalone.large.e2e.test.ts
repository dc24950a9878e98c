import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { chooseLocation } from '@svc/embedded-postgres/launch-identity'
import { listUnfinishedRuns } from '@svc/runner/run/run-folder'
import { createTestDatabase } from '@svc/testing/database'
import { describe, expect, test } from 'vitest'
import { endsInReviewTwice } from './standalone-once.ts'
import { createApp } from './support/app.ts'
import { createRepository } from '@svc/testing/temporary'
import { expectDone, sentences } from './support/ended.ts'

const hasIpv6 = Object.values(networkInterfaces())
  .flat()
  .some((one) => one?.address === '::1')

describe('the standalone app', () => {
  endsInReviewTwice(
    'with --once ends in review, exits 0 and leaves no process; so it does a second time',
  )

  test.runIf(hasIpv6)(
    'listens at ::1 where SVC_HOST says so, and its parts reach it there',
    async () => {
      await using app = await createApp()
      app.env['SVC_HOST'] = '::1'
      const once = app.start('--once')
      await expectDone(once)
      expect(once.stdout()).toMatch(/^ {2}\S+ {2}review/m)
      const { baseUrl } = JSON.parse(readFileSync(join(app.data, 'owner.json'), 'utf8'))
      expect(baseUrl).toBe(`http://[::1]:${app.port}`)
    },
  )

  test('that was killed while its agent worked is carried to review by the next start', async () => {
    await using app = await createApp()
    const first = app.start()
    await app.says(first, 'executing')
    await first.killNow()
    const second = app.start('--once')
    await expectDone(second)
    await expect.poll(() => app.processes()).toEqual([])
    expect(second.output()).toMatch(/^ {2}\S+ {2}review|the mission is in review/m)
  })

  test('that is interrupted while its agent works ends everything, and not with exit code 0', async () => {
    await using database = await createTestDatabase()
    await using app = await createApp()
    app.env['DATABASE_URL'] = database.connectionString
    const first = app.start('--once')
    await app.says(first, 'executing')
    first.kill('SIGTERM')
    expect((await first.ended).code).toBe(143)
    await expect.poll(() => app.processes()).toEqual([])
    expect(listUnfinishedRuns(app.home)).toEqual([])
  })

  test('without the demonstration says how to begin, by commands that work, and a name for them in any folder', async () => {
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
    const output = execFileSync('bash', ['-c', script.join('\n')], {
      cwd: repository.path,
      encoding: 'utf8',
      env: { ...process.env, HOME: app.data, SVC_DATA_DIR: app.data },
    })
    expect(output).toMatch(/What to do now\n.*\n {2}svc launch mine:1\.\w+ --agent/)
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

  test('on a taken port names the port', async () => {
    await using database = await createTestDatabase()
    await using app = await createApp()
    app.env['DATABASE_URL'] = database.connectionString
    const other = createServer().listen(app.port, '127.0.0.1')
    const started = app.start('--no-demo')
    expect((await started.ended).code).toBe(1)
    other.close()
    expect(sentences(started)).toEqual([expect.stringContaining(String(app.port))])
    await expect.poll(() => app.processes()).toEqual([])
  })

  test('on a damaged database says so and how to go on', async () => {
    await using app = await createApp()
    mkdirSync(join(app.data, 'postgres'), { recursive: true })
    mkdirSync(join(chooseLocation(join(app.data, 'postgres')).base, 'cluster', 'data'), {
      recursive: true,
    })
    const started = app.start('--once')
    expect((await started.ended).code).toBe(1)
    expect(sentences(started)).toEqual([expect.stringMatching(/is damaged .* backup/)])
    await expect.poll(() => app.processes()).toEqual([])
  })

  test('without git says what to install', async () => {
    await using database = await createTestDatabase()
    await using app = await createApp()
    Object.assign(app.env, { DATABASE_URL: database.connectionString, PATH: '/nowhere' })
    const started = app.start('--once')
    expect((await started.ended).code).toBe(1)
    expect(sentences(started)).toEqual([expect.stringContaining('git is not installed')])
    await expect.poll(() => app.processes()).toEqual([])
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

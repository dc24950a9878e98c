import { createTestDatabase } from '@svc/testing/database'
import { describe, expect, test } from 'vitest'
import { endsInReview } from './standalone-once.ts'
import { createApp } from './support/app.ts'
import { sentences } from './support/told.ts'

describe('the standalone app', () => {
  endsInReview('with --once ends in review, exits 0 and leaves no process', { starts: 1 })

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

import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createTestDatabase } from '@svc/testing/database'
import { expect, test } from 'vitest'
import { createApp } from './support/app.ts'
import { expectDone } from './support/ended.ts'

test('what npm start keeps goes into a file, from it into another folder, and onto a server', async () => {
  await using app = await createApp()
  await expectDone(app.start('--once'))
  const file = join(app.data, 'svc-export.gz')
  const exported = app.start('--export', file)
  await expectDone(exported)
  expect(exported.output()).toContain('SVC_SECRET_KEYS, which is not in it')
  const { token } = app.owner()
  const keys = readFileSync(join(app.data, 'secret-keys'), 'utf8').trim()

  await using other = await createApp()
  mkdirSync(other.data, { recursive: true })
  cpSync(join(app.data, 'secret-keys'), join(other.data, 'secret-keys'))
  await expectDone(other.start('--import', file))
  const again = other.start('--import', file)
  expect(await again.ended).toMatchObject({ code: 1 })
  expect(again.output()).toContain('This database holds rows already')

  await using server = await createTestDatabase()
  const admin = join(import.meta.dirname, '../../apps/admin/src/main.ts')
  const environment = { DATABASE_URL: server.connectionString, SVC_SECRET_KEYS: keys }
  const svcAdmin = (...args: string[]) =>
    execFileSync(process.execPath, [admin, ...args], { env: { ...process.env, ...environment } })
  svcAdmin('migrate')
  svcAdmin('import', '--file', file)
  const onServer = svcAdmin('export')
  expect(onServer.length).toBeGreaterThan(1_000)

  Object.assign(app.env, environment)
  rmSync(join(app.data, 'postgres'), { recursive: true, force: true })
  const moved = app.start('--no-demo')
  await app.says(moved, 'svc runs on')
  // the token of before, and the work
  expect(app.owner().token).toBe(token)
  const { projects } = await app.client().call('listProjects', {})
  expect(projects).toHaveLength(1)
  expect(existsSync(join(app.data, 'postgres'))).toBe(false)
})

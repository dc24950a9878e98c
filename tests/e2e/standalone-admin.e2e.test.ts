import { fileURLToPath } from 'node:url'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type App, createApp } from './support/app.ts'
import { type Started, startNode } from './support/processes.ts'
import { expectDone } from './support/ended.ts'

const adminMain = fileURLToPath(import.meta.resolve('@svc/standalone/admin'))
const ownersLink = ['reset-link', '--email', 'owner@localhost']

test('whoever runs npm start has svc-admin work on it while it runs and while it is stopped', async () => {
  await using app = await createApp()
  const service = app.start('--no-demo')
  await app.says(service, 'Ctrl-C stops everything; the next')

  const beside = admin(app, ...ownersLink)
  await expectDone(beside)
  const page = await fetch(beside.stdout().trim())
  expect([page.status, await page.text()]).toEqual([
    200,
    expect.stringContaining('owner@localhost'),
  ])
  const tooEarly = admin(app, 'after-restore')
  expect(await tooEarly.ended).toEqual({ code: 1, signal: null })
  expect(tooEarly.output()).toContain(`svc runs: ${app.url}`)

  service.kill('SIGTERM')
  await service.ended
  const alone = admin(app, ...ownersLink)
  await expectDone(alone)
  expect(alone.stdout()).toMatch(new RegExp(`^${app.url}/reset\\?\\S+\\n$`))
  expect(alone.output()).not.toContain('connection broke')
  const restored = admin(app, 'after-restore')
  await expectDone(restored)
  expect(restored.output()).toContain('This would end')
  expect(app.processes()).toEqual([])
})

test('svc-admin of npm start makes no service where there is none', async () => {
  await using app = await createApp()
  const nowhere = admin(app, ...ownersLink)
  expect(await nowhere.ended).toEqual({ code: 1, signal: null })
  expect(nowhere.output()).toContain(`No service of npm start keeps its data in ${app.data}`)
  expect(existsSync(app.data)).toBe(false)
  const help = admin(app, 'reset-link', '--help')
  await expectDone(help)
  expect(help.stdout()).toContain('npm run -s admin -- reset-link --email owner@example.com')
})

function admin(app: App, ...args: string[]): Started {
  return startNode(adminMain, args, {
    cwd: join(app.data, '..'),
    env: { SVC_DATA_DIR: app.data, SVC_PORT: String(app.port) },
  })
}

import { expect, test } from 'vitest'
import { admin, ownersLink } from './support/admin.ts'
import { createApp } from './support/app.ts'
import { expectDone } from './support/ended.ts'
import { until } from './support/until.ts'

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
  await expect.poll(() => app.processes()).toEqual([])
})

test('a reset of the owner ends the tokens of the running app itself, which makes others', async () => {
  await using app = await createApp()
  const service = app.start('--no-demo')
  await app.says(service, 'Ctrl-C stops everything; the next')
  const { runnerToken } = app.owner()
  const reset = admin(app, ...ownersLink)
  await expectDone(reset)

  const link = new URL(reset.stdout().trim())
  const token = link.searchParams.get('token') ?? ''
  const used = await fetch(link, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: link.origin },
    body: new URLSearchParams({ token, password: 'four quiet words here' }),
  })
  expect(used.status).toBe(303)
  await until('the runner has another token', () => app.owner().runnerToken !== runnerToken)
  const at = Date.now()
  await until('the runner is heard with it', async () => {
    const { runners } = await app.client().call('listRunners', {})
    return runners.some(({ lastHeardAt }) => Date.parse(lastHeardAt) > at)
  })
})

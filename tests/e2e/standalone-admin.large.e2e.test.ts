import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { createApp } from './support/app.ts'
import { startNode } from './support/processes.ts'
import { expectDone } from './support/ended.ts'
import { until } from './support/until.ts'

const adminMain = fileURLToPath(import.meta.resolve('@svc/standalone/admin'))

test('a reset of the owner ends the tokens of the running app itself, which makes others', async () => {
  await using app = await createApp()
  const service = app.start('--no-demo')
  await app.says(service, 'Ctrl-C stops everything; the next')
  const { runnerToken } = app.owner()
  const admin = startNode(adminMain, ['reset-link', '--email', 'owner@localhost'], {
    env: { SVC_DATA_DIR: app.data },
  })
  await expectDone(admin)

  const link = new URL(admin.stdout().trim())
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

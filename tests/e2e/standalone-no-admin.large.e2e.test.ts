import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { admin, ownersLink } from './support/admin.ts'
import { createApp } from './support/app.ts'
import { expectDone } from './support/ended.ts'

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

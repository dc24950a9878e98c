import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test as base, vi } from 'vitest'
import { browserOfFile, openBrowser } from './browser.ts'

const test = base.extend('browser', { scope: 'file' }, browserOfFile)

test('a page is opened, and one of a phone next to it', async ({ browser }) => {
  const [wide, narrow] = await Promise.all([
    browser.newPage(),
    browser.newPage({ viewport: { width: 360, height: 740 }, colorScheme: 'dark' }),
  ])
  await wide.setContent('<h1>Wide</h1>')
  await narrow.setContent('<h1>Narrow</h1>')
  expect(await wide.textContent('h1')).toBe('Wide')
  expect(await narrow.evaluate('innerWidth')).toBe(360)
  expect(await narrow.evaluate('matchMedia("(prefers-color-scheme: dark)").matches')).toBe(true)
})

test('what is named and does not start is said in one sentence, with what to do', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-browser-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const broken = join(folder, 'chrome')
  await writeFile(broken, '#!/bin/sh\nexit 1\n')
  await chmod(broken, 0o755)
  vi.stubEnv('SVC_TEST_BROWSER', broken)
  onTestFinished(() => void vi.unstubAllEnvs())
  const failure = openBrowser()
  await expect(failure).rejects.toThrow(
    /^The tests need a Chromium or Chrome that starts: install one, or name its program in SVC_TEST_BROWSER/,
  )
  await expect(failure).rejects.toThrow(broken)
})

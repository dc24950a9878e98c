import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, type BrowserContext, type Page, chromium } from 'playwright-core'
import { type TaskMeta, onTestFinished } from 'vitest'
import { type BrowserProgram, unpackChromium } from './chromium-from-npm.ts'

/**
 * A browser without a window: the one that SVC_TEST_BROWSER names, else the first that starts of those that are
 * installed and the one from npm.
 */
export async function openBrowser(): Promise<Browser> {
  const failures: string[] = []
  for (const { name, program } of candidates()) {
    try {
      return await chromium.launch(await program())
    } catch (error) {
      failures.push(`${name}: ${firstLineOf(error)}`)
    }
  }
  throw new Error(
    `The tests need a Chromium or Chrome that starts: install one, or name its program in SVC_TEST_BROWSER (${failures.join('; ') || 'none was found'}).`,
  )
}

/** For `test.extend('browser', { scope: 'file' }, browserOfFile)`: one browser for all tests of a file. */
// oxlint-disable-next-line no-empty-pattern -- vitest reads here which other fixtures are needed: none
export async function browserOfFile({}, { onCleanup }: Cleanup): Promise<Browser> {
  const browser = await openBrowser()
  onCleanup(() => browser.close())
  return browser
}

declare module 'vitest' {
  interface TaskMeta {
    /** Set by the fixture below, and so of no test that has no browser. */
    drivesBrowser?: boolean
  }
}

/** For `test.extend('windows', windowsOfTest)`: opens windows of the file's browser, closed after the test. */
export function windowsOfTest({ browser, task }: { browser: Browser; task: { meta: TaskMeta } }) {
  return async (open: (browser: Browser) => Promise<BrowserContext>): Promise<Page> => {
    task.meta.drivesBrowser = true
    const context = await open(browser)
    onTestFinished(() => context.close())
    // as long as `expect.poll` waits: what comes late on a busy machine comes
    context.setDefaultTimeout(120_000)
    return context.newPage()
  }
}

interface Cleanup {
  onCleanup: (close: () => Promise<void>) => void
}

interface Candidate {
  name: string
  program: () => BrowserProgram | Promise<BrowserProgram>
}

function candidates(): Candidate[] {
  const named = process.env['SVC_TEST_BROWSER']
  const paths = named === undefined ? installed() : [named]
  const hasOneOfNpm = named === undefined && process.platform === 'linux' && process.arch === 'x64'
  return [
    ...paths.map((path) => ({ name: path, program: () => ({ executablePath: path }) })),
    ...(hasOneOfNpm ? [{ name: 'the one from npm', program: unpackChromium }] : []),
  ]
}

const names = ['google-chrome', 'google-chrome-stable', 'chromium', 'chromium-browser']
const applications = ['Google Chrome', 'Chromium']

function installed(): string[] {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  return [
    ...folders.flatMap((folder) => names.map((name) => join(folder, name))),
    ...applications.map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`),
  ].filter((path) => existsSync(path))
}

function firstLineOf(error: unknown): string {
  const [line = ''] = String(error).split('\n')
  return line
}

// Unpacking may take longer than a test is given on a busy machine; what fails here fails again for who asks.
const [first] = candidates()
if (first?.program === unpackChromium) await unpackChromium().catch(() => undefined)

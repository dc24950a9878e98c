import { randomUUID } from 'node:crypto'
import { freePort } from '@svc/testing/free-port'
import { openBrowser } from '@svc/testing/browser'
import { cloneRepository } from '@svc/tests/e2e/clone'
import { type Started, startNode } from '@svc/tests/e2e/processes'
import { until } from '@svc/tests/e2e/until'
import { row, say } from '../figures.ts'
import type { Page } from './stage.ts'

/** From `npm start` to the app's first page in a browser: in a fresh clone, and once more there. */
export async function measureStart(): Promise<void> {
  using clone = cloneRepository()
  await using browser = await openBrowser()
  const port = await freePort()
  const baseURL = `http://127.0.0.1:${port}`
  const context = await browser.newContext({ baseURL })
  const page = await context.newPage()
  const env = { ...clone.env, SVC_PORT: String(port) }
  const begin = () => startNode(clone.bootstrap, ['start', '--no-demo'], { cwd: clone.folder, env })

  const [setUpMs, coldMs] = await timed(begin(), async (started) => {
    const link = await linkOf(started, baseURL)
    const before = Date.now()
    await setPassword(page, link)
    const setUp = Date.now() - before
    await untilFirstPage(page)
    return setUp
  })
  const [, warmMs] = await timed(begin(), async (started) => {
    await until('it answers', () => answers(baseURL, started), { seconds: 120 })
    await page.goto('/')
    await untilFirstPage(page)
  })
  say('Start: s from `npm start` to the first page; packages come from the disk of this machine.')
  row('in a fresh clone: packages, database and web app are made', seconds(coldMs - setUpMs))
  row(
    'once more: all of it is there',
    `${seconds(warmMs)}; ${(warmMs / (coldMs - setUpMs)).toFixed(2)} of the first`,
  )
}

async function timed<T>(started: Started, work: (it: Started) => Promise<T>): Promise<[T, number]> {
  const begun = Date.now()
  try {
    const result = await work(started)
    return [result, Date.now() - begun]
  } finally {
    started.kill('SIGTERM')
    await started.ended
  }
}

function linkOf(started: Started, baseUrl: string): Promise<string> {
  const link = new RegExp(`${baseUrl}/\\S*#?\\S+`)
  return until(
    'it says where a password is set',
    () => {
      if (started.isOver()) throw new Error(`npm start ended:\n${started.output()}`)
      const [, after = ''] = started.stdout().split('this link sets your password')
      return Promise.resolve(link.exec(after)?.[0])
    },
    { seconds: 300 },
  )
}

async function setPassword(page: Page, link: string): Promise<void> {
  await page.goto(link)
  const password = randomUUID()
  for (const field of await page.locator('input[type=password]').all()) await field.fill(password)
  await page.locator('form').getByRole('button').first().click()
  await page.waitForLoadState()
  await page.goto('/')
}

/** A page that is to be built reloads itself until then. */
async function untilFirstPage(page: Page): Promise<void> {
  await page.getByRole('status').getByText('live', { exact: true }).waitFor({ timeout: 300_000 })
}

async function answers(baseUrl: string, started: Started): Promise<boolean> {
  if (started.isOver()) throw new Error(`npm start ended:\n${started.output()}`)
  return fetch(`${baseUrl}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )
}

const seconds = (ms: number) => (ms / 1_000).toFixed(1)

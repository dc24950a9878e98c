import { setTimeout as delay } from 'node:timers/promises'
import { serveApi } from '@svc/api/testing/serve-api'
import { channels } from '@svc/domain/jobs/wake-hub'
import { highLimits } from '@svc/testing/high-limits'
import { sql } from 'kysely'
import type { Browser, Page } from 'playwright-core'
import { hold } from '../model/command.ts'
import type { Beside } from '../model/play.ts'
import type { Stage, Theatre } from '../model/stage.ts'
import { needsCauses } from '../needs-invariants.ts'
import { signedInWindow } from '../pages/scene.ts'
import { builtWebApp } from './built.ts'

/** Pages that are open beside a sequence of calls: after each step their rows are what waits. */
export interface OpenNeeds extends Beside, AsyncDisposable {
  /** How often they were compared, and how many rows came in between. */
  tally: { looks: number; came: number }
}

const views = { mine: '/w/model', all: '/w/model?whose=all' } as const
type View = keyof typeof views

/** Longer than any row says that it was settled elsewhere. */
const settledMs = 6_000
/** Longer than what was heard is gathered before it is read. */
const gatheredMs = 300
const patienceMs = 120_000

/** On the database of the theatre, whose person of the name alice looks at them. */
export async function openNeedsBeside(
  { domain }: Theatre,
  options: WalkOptions,
): Promise<OpenNeeds> {
  const { databaseUrl, browser, alice } = options
  await using opened = new AsyncDisposableStack()
  const folder = await builtWebApp()
  const webApp = () => ({ state: 'built', folder }) as const
  const api = opened.use(await serveApi(databaseUrl, highLimits, { webApp }))
  // nothing is done but the steps
  for (const loop of api.loops) await loop[Symbol.asyncDispose]()
  const { baseUrl } = api
  const context = await signedInWindow(browser, { domain }, { ...alice, baseUrl })
  opened.defer(() => context.close())
  // time passes by the month
  await sql`update sign_ins set expires_at = 'infinity', last_used_at = app.now() + interval '9 years'`.execute(
    domain.db,
  )
  await context.clock.install()
  await context.addInitScript(hearFeed(alice))
  const pages: Record<View, Page> = { mine: await context.newPage(), all: await context.newPage() }
  const both = Object.entries(pages) as [View, Page][]
  const tally = { looks: 0, came: 0 }
  const known = { mine: new Set<string>(), all: new Set<string>() }

  const look = async ({ domain: { db } }: Stage) => {
    api.domain.wake.notify(channels.changes)
    const { rows: causes } = await needsCauses.execute(db)
    const { rows: last } = await sql<{ xid: string; seq: string }>`
      select xid, seq from entity_changes
       where workspace_id = ${alice.workspaceId} and coalesce(user_id, ${alice.userId}) = ${alice.userId}
       order by xid desc, seq desc limit 1`.execute(db)
    const { rows: queued } = await sql<{ id: string }>`
      select id from execution_requests where status = 'queued'`.execute(db)
    const untaken = new Set(queued.map(({ id }) => `untaken_launch ${id}`))
    for (const [view, page] of both) {
      const own = causes.filter(({ addressed_to: of }) => of === null || of === alice.userId)
      const expected = (view === 'mine' ? own : causes)
        .map(({ kind, id }) => `${kind} ${id}`)
        .toSorted()
      await agree(page, view, { expected, untaken, after: last[0] })
      tally.looks += 1
      tally.came += expected.filter((row) => !known[view].has(row)).length
      known[view] = new Set(expected)
    }
  }
  const resources = opened.move()
  return {
    tally,
    begin: async () => {
      for (const [view, page] of both) {
        await page.goto(views[view])
        await page.getByRole('status').getByText('live', { exact: true }).waitFor()
      }
    },
    seen: look,
    end: async (stage) => {
      for (const [, page] of both) await page.clock.fastForward(settledMs)
      await look(stage)
      for (const [view, page] of both) {
        const { settled } = await shownOn(page)
        hold(
          settled === 0,
          'needs-page',
          `${view}: ${settled} rows say that they were settled, and stay`,
        )
      }
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

export interface WalkOptions {
  databaseUrl: string
  browser: Browser
  alice: { userId: string; workspaceId: string }
}

interface Wanted {
  expected: readonly string[]
  /** Launches that time may have made rows of. */
  untaken: ReadonlySet<string>
  /** The last change that the page is told of. */
  after: { xid: string; seq: string } | undefined
}

/** The page has heard of the last change, and its rows are what waits. */
async function agree(page: Page, view: View, { expected, untaken, after }: Wanted): Promise<void> {
  const deadline = performance.now() + patienceMs
  for (;;) {
    const { heard, rows } = await shownOn(page)
    const byTime = rows.filter((row) => /^(untaken_launch|ending_token) /.test(row))
    const others = rows.filter((row) => !byTime.includes(row)).toSorted()
    const leftOver = [
      ...others.filter((row) => !expected.includes(row)),
      ...byTime.filter((row) => row.startsWith('untaken_launch') && !untaken.has(row)),
    ]
    const missing = expected.filter((row) => !others.includes(row))
    const isTwice = new Set(others).size < others.length
    const hasHeard = after === undefined || isAtLeast(heard, after)
    if (hasHeard && leftOver.length + missing.length === 0 && !isTwice) return
    hold(
      performance.now() < deadline,
      'needs-page',
      `${view}: ${hasHeard ? 'it has heard of all' : `it has heard ${heard} and not ${JSON.stringify(after)}`}; left over are ${leftOver.join(', ')}; missing are ${missing.join(', ')}`,
    )
    if (hasHeard) await page.clock.fastForward(gatheredMs)
    await delay(10)
  }
}

interface Shown {
  /** The cursor of what was heard last. */
  heard: string
  rows: string[]
  settled: number
}

function shownOn(page: Page): Promise<Shown> {
  return page.evaluate<Shown>(`({
    heard: window.svcHeard ?? '',
    rows: [...document.querySelectorAll('[data-need]:not([data-settled])')]
      .map((row) => row.dataset.need.split('/').slice(0, 2).join(' ')),
    settled: document.querySelectorAll('[data-need][data-settled]').length,
  })`)
}

/** The tab that follows the feed tells all others by this channel, and whoever else listens. */
function hearFeed({ userId, workspaceId }: WalkOptions['alice']): string {
  return `new BroadcastChannel('svc:feed:${userId}:${workspaceId}').addEventListener('message', ({ data }) => {
    if (data.cursor !== undefined) window.svcHeard = data.cursor
  })`
}

function isAtLeast(cursor: string, { xid, seq }: { xid: string; seq: string }): boolean {
  const [heardXid = '0', heardSeq = '0'] = cursor.split('.')
  if (BigInt(heardXid || 0) !== BigInt(xid)) return BigInt(heardXid || 0) > BigInt(xid)
  return BigInt(heardSeq) >= BigInt(seq)
}

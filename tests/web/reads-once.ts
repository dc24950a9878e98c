import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { PageScene } from '../pages/scene.ts'

/** `feedWaitMs` of the web app's data/workspace.ts. */
const feedWaitMs = 1_500

/**
 * Called before a page is opened whose reads are counted: it reads nothing a second time. A page that has waited that long
 * for its feed reads without it, and once more when it begins.
 */
export async function readsOnce(page: Page, { world }: Pick<PageScene, 'world'>): Promise<void> {
  await page.addInitScript(`(() => {
    const given = window.setTimeout
    window.setTimeout = (work, ms, ...more) =>
      given.call(window, work, ms === ${feedWaitMs} ? 600_000 : ms, ...more)
  })()`)
  await untilTold(world)
}

/**
 * A feed that begins from here on tells nothing of what was done before. It begins at the oldest transaction of the whole
 * server, whose other databases have open ones, too.
 */
export async function untilTold({ domain: { db } }: PageScene['world']): Promise<void> {
  await expect
    .poll(async () => {
      const { rows } = await sql<{ isTold: boolean }>`
        select not exists (select from entity_changes
                            where xid >= pg_snapshot_xmin(pg_current_snapshot())) as "isTold"`.execute(
        db,
      )
      return rows[0]?.isTold
    })
    .toBe(true)
}

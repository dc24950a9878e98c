import { sql } from 'kysely'
import type { Page, Response } from 'playwright-core'
import { describe, expect } from 'vitest'
import { fill } from '../flat/fill.ts'
import { createTestDatabase } from '@svc/testing/database'
import { goTo } from '../pages/go-to.ts'
import { openPages } from '../pages/scene.ts'
import { builtWebApp } from './built.ts'
import { bytesOf } from './bytes-of.ts'
import { openMission } from './open-mission.ts'
import { readsOnce } from './reads-once.ts'
import { test } from './scene.ts'

interface Cost {
  nodes: number
  bytes: number
  requests: number
}

/** What the page costs from now on, and what its document holds in the end. */
function count(page: Page): { end: () => Promise<Cost> } {
  const responses: Response[] = []
  page.on('response', (response) => responses.push(response))
  return {
    async end() {
      const folder = await builtWebApp()
      const sizes = await Promise.all(responses.map((response) => bytesOf(response, folder)))
      return {
        nodes: await page.evaluate<number>(`document.querySelectorAll('*').length`),
        bytes: sizes.reduce((sum, size) => sum + size, 0),
        requests: responses.length,
      }
    },
  }
}

describe('with 5,000 missions a page costs what it costs with 50:', () => {
  test('the projects, and to find a mission', { timeout: 600_000 }, async ({ browser }) => {
    const folder = await builtWebApp()
    const costs: { projects: Cost; find: Cost }[] = []
    for (const missions of [50, 5_000]) {
      await using database = await createTestDatabase()
      await using scene = await openPages(database.connectionString, {
        webApp: () => ({ state: 'built', folder }),
      })
      const { world } = scene
      const { workspaceId, userId } = await world.alice.actor()
      await fill(world.domain.db, { workspaceId, userId }, missions)
      await using context = await scene.window(browser, true)
      const page = await context.newPage()
      await readsOnce(page, scene)
      const projects = count(page)
      // read when the page is there
      const later = [/\/api\/needs\?/, /\/api\/inbox-items\?/].map((one) =>
        page.waitForResponse(one),
      )
      await goTo(page, scene, '/projects')
      await page.getByRole('list', { name: 'Projects' }).waitFor()
      await Promise.all(later)
      await page.getByRole('link', { name: /^Needs you \d/ }).waitFor()
      const atProjects = await projects.end()
      const find = count(page)
      await page.keyboard.press('/')
      await page.getByRole('searchbox').fill('mission')
      const found = page.getByRole('list', { name: 'Missions found' }).getByRole('listitem')
      await expect.poll(() => found.count()).toBe(12)
      costs.push({ projects: atProjects, find: await find.end() })
    }
    const [few, many] = costs
    for (const part of ['projects', 'find'] as const) {
      const [at50, at5000] = [few?.[part], many?.[part]]
      expect([part, at5000?.nodes, at5000?.requests]).toEqual([part, at50?.nodes, at50?.requests])
      // numbers have more digits, and words compress as they do
      expect(at5000?.bytes).toBeLessThanOrEqual((at50?.bytes ?? 0) * 1.1)
    }
  })
})

test(
  'of a history of 10,000 events at most 400 rows are held, however far one goes back',
  {
    timeout: 600_000,
  },
  async ({ openApp, scene }) => {
    const { world } = scene
    const { project, mission } = await world.missionWith(['Count'], { title: 'Very long' })
    const runner = await world.connectedRunner(project)
    const { agent } = await world.attachedRun(mission.objectives[0], runner)
    await agent.update({ text: 'Step 0.' })
    await sql`
    insert into mission_events (workspace_id, id, mission_id, objective_id, type, summary, data, actor_id, actor_role)
    select workspace_id,
           -- a millisecond apart, since a history is in the order of its ids
           (lpad(to_hex((extract(epoch from app.now()) * 1000)::bigint + n), 12, '0') || '70008'
             || left(md5(n::text), 15))::uuid,
           mission_id, objective_id, type, 'Step ' || n || '.',
           data, actor_id, actor_role
      from mission_events, generate_series(1, 10000) n
     where mission_id = ${mission.id} and summary = 'Step 0.'`.execute(world.domain.db)
    const { page, misdeeds } = await openApp()
    await openMission(page, scene, mission.displayId)
    const timeline = page.getByRole('region', { name: 'Timeline' })
    await timeline.getByText('Step 10000.').waitFor()
    const rows = () => timeline.getByText(/^Step \d+\.$/).count()
    const older = timeline.getByRole('button', { name: 'Older' })
    let most = await rows()
    for (let oldest = 9_801; oldest > 1; oldest -= 200) {
      await timeline.getByText(`Step ${oldest}.`, { exact: true }).waitFor()
      await older.click()
      most = Math.max(most, await rows())
    }
    await timeline.getByText('Step 1.', { exact: true }).waitFor()
    expect(most).toBeLessThanOrEqual(400)
    expect(most).toBeGreaterThan(200)
    expect(misdeeds).toEqual([])
  },
)

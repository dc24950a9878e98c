import { tokenFromOAuth } from '@svc/domain/testing/granted'
import { personWith } from '@svc/domain/testing/people'
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { appPages } from '../pages/app-pages.ts'
import { placeOf } from '../pages/describe-reading.ts'
import type { PageScene } from '../pages/scene.ts'
import { inTurn } from './hostile-texts.ts'
import { columnOf, openBoard } from './open-board.ts'
import { openMission } from './open-mission.ts'
import { needNames, openNeeds } from './open-needs.ts'
import { openWall, wallRows } from './open-wall.ts'
import { logRows, test } from './open-webhooks.ts'
import { queuedWork } from './queues-scene.ts'
import { openReview } from './open-review.ts'
import { openRun } from './open-run.ts'
import { logOf } from './run-scene.ts'

const inSlices = (texts: readonly string[], most: number) =>
  Array.from({ length: Math.ceil(texts.length / most) }, (_, index) =>
    texts.slice(index * most, (index + 1) * most),
  )

/** Nothing of it is an element, runs, is asked for, or hides in which direction it is written. */
async function expectOnlyText(page: Page, misdeeds: readonly string[]): Promise<void> {
  const found = await page.evaluate<string[]>(`[...document.querySelectorAll(
    'main img, main script, main iframe, main object, main style, main base, main meta, main math, main animate, main link'
  )].map((element) => element.outerHTML)`)
  expect(found).toEqual([])
  const handlers = await page.evaluate<string[]>(`[...document.querySelectorAll('body *')]
    .flatMap((element) => element.getAttributeNames()).filter((name) => name.startsWith('on'))`)
  expect(handlers).toEqual([])
  const schemes = await page.evaluate<string[]>(
    `[...new Set([...document.querySelectorAll('a[href]')].map((link) => link.protocol))]`,
  )
  expect(schemes.filter((one) => !['http:', 'https:', 'mailto:'].includes(one))).toEqual([])
  const text = await page.locator('main').innerText()
  const steering = ['\u202E', '\u202C', '\u2066', '\u001B']
  expect(steering.filter((sign) => text.includes(sign))).toEqual([])
  expect(misdeeds).toEqual([])
}

/** A mission in which every text that somebody else may write is one of these. */
async function hostileMission({ world }: PageScene, texts: readonly string[]) {
  const short = inTurn(texts)
  const { project, mission } = await world.missionWith([texts.join('\n\n')], { title: short() })
  const runner = await world.connectedRunner(project, { label: short(60) })
  const run = await world.attachedRun(mission.objectives[0], runner)
  for (const slice of inSlices(texts, 12)) {
    await run.agent.update({ text: slice.join('\n\n') })
  }
  await run.agent.heartbeat({ percent: 10, note: short() })
  await world.alice.call('setSharedState', {
    id: mission.id,
    key: 'evil',
    value: { [short()]: [...texts] },
    expectedRevision: 0,
  })
  return { mission, runner, run, short }
}

/** Of such texts, on each page of the web app, in all that it shows of what others have written. */
export function describeHostile(
  texts: readonly string[],
  /** Looks at each page as it opens. */
  look: (page: Page) => Promise<void> = () => Promise.resolve(),
) {
  const all = texts.join('\n\n')
  const seen = new Set<string>()

  const expectText = async (page: Page, misdeeds: readonly string[]) => {
    await expectOnlyText(page, misdeeds)
    const place = placeOf(page)
    if (seen.has(place)) return
    seen.add(place)
    await look(page)
  }

  describe('what somebody hostile has written is text, and asks nothing of anybody:', () => {
    test('on the page of a mission', async ({ openApp, scene }) => {
      const { mission, run, short } = await hostileMission(scene, texts)
      await scene.world.alice.call('createArtifact', {
        id: mission.id,
        type: 'note',
        label: short(),
        contentText: all,
      })
      await run.agent.ask({
        question: all.slice(0, 9_000),
        options: [{ id: 'x', label: short(), description: short() }],
      })
      const { page, misdeeds } = await openApp()
      await openMission(page, scene, mission.displayId)
      for (const row of await page.locator('[data-objective] button[aria-expanded]').all()) {
        await row.click()
      }
      for (const fold of await page.locator('main summary').all()) await fold.click()
      await page.getByText('⟨U+202E⟩').first().waitFor()
      await page.getByRole('region', { name: 'Questions' }).getByText('onerror').first().waitFor()
      await expectText(page, misdeeds)
    })

    test('on the page of a review', async ({ openApp, scene }) => {
      const { mission, runner, run, short } = await hostileMission(scene, texts)
      const filePath = 'src/<img src=x onerror=alert(1)>.ts'
      await run.agent.deliver({
        summary: all,
        report: {
          humanActions: inSlices(texts, 20).map((slice) => ({ action: slice.join('\n') })),
          risks: [{ text: short(), evidence: short() }],
          tradeoffsMade: [{ decision: short(), rationale: short(), impact: short() }],
          deferredWork: [{ text: short() }],
          assumptions: [{ text: short() }],
        },
        changeRationales: [
          { filePath, label: short(), summary: short(), why: short(), impact: short() },
        ],
        artifacts: [{ type: 'link', label: short(), externalUrl: 'https://evil.example/z' }],
      })
      const lines = texts.flatMap((text) => text.split('\n')).map((line) => `+${line}`)
      await runner.diff(run.lease, {
        stat: [{ filePath, additions: lines.length, deletions: 0 }],
        patch: `diff --git a/${filePath} b/${filePath}\nnew file mode 100644\n--- /dev/null\n+++ b/${filePath}\n@@ -0,0 +1,${lines.length} @@\n${lines.join('\n')}\n`,
        complete: true,
      })
      await runner.exited(run.lease)
      const { page, misdeeds } = await openApp()
      await openReview(page, scene, mission, `?f=${encodeURIComponent(filePath)}`)
      for (const fold of await page.locator('main summary').all()) await fold.click()
      await page.getByText('⟨U+202E⟩').first().waitFor()
      await expectText(page, misdeeds)
    })

    test('on the pages of run queues and of runners', async ({ openApp, scene, goTo }) => {
      const { world } = scene
      // a screen shows no more of a queue: those that hide in which direction they are written are among them
      const hidden = texts.findIndex((text) => text.includes('\u202E'))
      const short = inTurn(texts.slice(hidden).concat(texts.slice(0, hidden)))
      const titles = Array.from({ length: Math.min(40, texts.length) }, () => short())
      const { project, queueId, runner } = await queuedWork(world, titles)
      await world.alice.call('updateRunQueue', { id: queueId, name: short() })
      await world.alice.call('createRunQueue', { id: project.id, name: short() })
      await runner.claim({
        projectIds: [project.id],
        device: { fingerprint: runner.fingerprint, label: short(), platform: short(40), arch: 'x' },
        agents: [{ key: 'scripted', version: short(), path: short() }],
      })
      const { page, misdeeds } = await openApp()
      await goTo(page, `/p/${project.slug}/queues`)
      await page.locator('[data-sorted]').first().waitFor()
      await page.getByText('⟨U+202E⟩').first().waitFor()
      await expectText(page, misdeeds)
      await goTo(page, '/runners')
      for (const row of await page.locator('[data-runner] button[aria-expanded="false"]').all()) {
        await row.click()
      }
      await page.getByText('Takes launches of').first().waitFor()
      for (const fold of await page.locator('main summary').all()) await fold.click()
      await expectText(page, misdeeds)
    })

    test('on the settings of a project', async ({ openApp, scene, goTo }) => {
      const { alice } = scene.world
      const short = inTurn(texts)
      const project = await scene.world.projectWith([{ resourceKey: 'web' }])
      const { id, slug } = project
      await alice.call('updateProject', { id, name: short() })
      await alice.call('createProjectStatus', { id, label: short(), type: 'draft' })
      const resources = [{ projectId: id, resourceKey: 'web' }]
      await scene.world.connectedRunner(project, { label: short(60), resources })
      const oneLine = texts.filter((text) => !/[\p{Cc}]/u.test(text))
      await alice.call('updateLaunchSettings', {
        id,
        preLaunchCommands: inSlices(texts, 20).map((slice) => slice.join('\n')),
        launchEnvVars: { EVIL: all },
        agents: { claude: { model: oneLine[0], flags: oneLine.slice(0, 20) } },
        checks: { test: { command: texts.slice(0, 30).join('\n') } },
      })
      const { page, misdeeds } = await openApp()
      await goTo(page, `/p/${slug}/settings`)
      await page.getByRole('button', { name: 'Show the values of variables' }).click()
      await page.getByText('⟨U+202E⟩').first().waitFor()
      await page.getByRole('region', { name: 'Preview of a launch' }).getByText('EVIL=').waitFor()
      await expectText(page, misdeeds)
      await page.keyboard.press('l')
      const form = page.getByRole('form', { name: 'Launch settings' })
      await form.getByLabel('Command in front of the agent').fill('nvm exec')
      await page
        .getByRole('region', { name: 'Preview of a launch' })
        .locator('ins')
        .first()
        .waitFor()
      await alice.call('updateLaunchSettings', {
        id,
        preCommand: 'echo "<img src=x onerror=alert(1)>"',
      })
      await page.getByRole('region', { name: /^Changed by somebody else/ }).waitFor()
      await expectText(page, misdeeds)
      for (const name of ['Link a checkout: web', 'Change web', 'Remove web']) {
        await page.getByRole('button', { name }).click()
        await page.getByRole('dialog').waitFor()
        await expectText(page, misdeeds)
        await page.keyboard.press('Escape')
      }
    })

    test('on the pages of runs, and in what a run prints', async ({ openApp, scene, goTo }) => {
      const { runner, run } = await hostileMission(scene, texts)
      const evil = '\u009b31m\u001b]52;c;ZXZpbA==\u0007\u001b[31;\u001b]0;no end'
      await runner.log(run.lease, 0, `${[...texts, evil, 'the end'].join('\n')}\n`)
      const { page, misdeeds } = await openApp()
      await goTo(page, '/runs')
      await page.getByRole('list', { name: 'Runs' }).waitFor()
      await expectText(page, misdeeds)
      await openRun(page, scene, run.lease.id)
      for (const fold of await page.locator('main summary').all()) await fold.click()
      const log = logOf(page)
      await log.getByText('the end').waitFor()
      await expectText(page, misdeeds)
      await log.focus()
      await page.keyboard.press('Home')
      await log.getByText('<script>alert(1)</script>').first().waitFor()
      await expectText(page, misdeeds)
      await page.keyboard.press('f')
      await page.getByRole('searchbox', { name: 'Find in this log' }).fill('onerror')
      await log.locator('mark').first().waitFor()
      await expectText(page, misdeeds)
    })

    test('on the page of the projects, and where missions are found', async ({
      openApp,
      scene,
      goTo,
    }) => {
      const names = texts.filter((text) => text.length <= 200 && !text.includes('\n'))
      let made = 0
      for (const name of names) {
        made += 1
        await scene.world.alice.call('createProject', { name, slug: `evil${made}` })
      }
      await scene.world.missionWith(['Do it.'], { title: `findable ${inTurn(texts, 1)(150)}` })
      const { page, misdeeds } = await openApp()
      await goTo(page, '/projects')
      await page.getByText('<script>alert(1)</script>').first().waitFor()
      await expectText(page, misdeeds)
      await page.keyboard.press('/')
      await page.getByRole('searchbox').fill('findable')
      await page
        .getByRole('list', { name: 'Missions found' })
        .getByText('onerror')
        .or(page.getByRole('list', { name: 'Missions found' }).getByText('fetch('))
        .first()
        .waitFor()
      await expectText(page, misdeeds)
    })

    test(
      'on the page of who may come in, and by what',
      { timeout: 600_000 },
      async ({ openApp, scene, goTo }) => {
        const { domain, alice } = scene.world
        const names = texts.filter((text) => text.length <= 200 && !text.includes('\n'))
        for (const name of names) {
          const { userId } = await scene.world.person('viewer')
          await domain.db.updateTable('users').set({ name }).where('id', '=', userId).execute()
          await alice.call('createUserToken', { label: name, preset: 'read_only' })
          await tokenFromOAuth(domain, await alice.actor(), name)
        }
        await alice.call('updateWorkspace', { name: inTurn(texts)() })
        const { page, misdeeds } = await openApp()
        for (const tab of ['members', 'tokens', 'all-tokens', 'applications', 'workspace']) {
          await goTo(page, `/access?tab=${tab}`)
          const rows = page.locator('main ul[aria-label] > li')
          await rows.first().waitFor()
          const more = page.getByRole('button', { name: 'Show more' })
          for (let shown = 50; await more.isVisible(); shown += 50) {
            await more.click()
            await expect.poll(() => rows.count()).toBeGreaterThan(shown)
          }
          if (tab !== 'workspace') {
            await page.getByText('⟨U+202E⟩').first().waitFor()
            await page.getByText('<script>alert(1)</script>').first().waitFor()
          }
          await expectText(page, misdeeds)
        }
        await alice.call('updateWorkspace', { name: 'Here' })
      },
    )

    test('in an inbox, where an item becomes a mission, and in what a search finds', async ({
      openApp,
      scene,
      goTo,
    }) => {
      const { alice } = scene.world
      const short = inTurn(texts)
      const { token } = await alice.call('createUserToken', {
        label: '<img src=x onerror=alert(1)>\u202E',
        preset: 'full',
      })
      const agent = personWith(scene.world.domain, token)
      for (const slice of inSlices(texts, 12)) {
        const text = slice.join('\n\n').slice(0, 5_000)
        await agent.tool('svc_create_inbox_item', { title: short(), text })
      }
      const { page, misdeeds } = await openApp()
      await goTo(page, '/inbox')
      await page.locator('[data-item]').first().waitFor()
      for (const fold of await page.locator('main summary').all()) await fold.click()
      await page.getByText('⟨U+202E⟩').first().waitFor()
      await expectText(page, misdeeds)
      await page.getByRole('button', { name: 'Turn into a mission …' }).first().click()
      await page.getByRole('dialog').getByLabel('Objective 1').waitFor()
      await expectText(page, misdeeds)

      const { project } = await scene.world.missionWith([])
      for (const slice of inSlices(texts, 12)) {
        const instruction = `searchable ${slice.join(' searchable ')}`
        await scene.world.missionWith([instruction], { project, title: short() })
      }
      await goTo(page, '/search?q=searchable+alert')
      await page.locator('[data-found]').first().waitFor()
      await page.locator('mark').first().waitFor()
      await expectText(page, misdeeds)
      const evil = encodeURIComponent('"><img src=x onerror=alert(1)> searchable')
      await goTo(page, `/search?q=${evil}&project=%3Cb%3E`)
      await page.getByRole('searchbox').waitFor()
      await expectText(page, misdeeds)
    })

    test(
      'on the page of what needs somebody, and on a wall',
      { timeout: 600_000 },
      async ({ openApp, scene }) => {
        const { world } = scene
        const short = inTurn(texts)
        const slices = inSlices(texts, 12)
        const { project, mission } = await world.missionWith(
          slices.map((slice) => slice.join('\n\n')),
          { title: short(), allowParallelObjectives: true },
        )
        const runner = await world.connectedRunner(project, { label: short(60) })
        for (const [index, objective] of mission.objectives.entries()) {
          const { agent } = await world.attachedRun(objective, runner)
          await agent.heartbeat({ percent: 10, note: short() })
          const label = short()
          await agent.ask({
            question: (slices[index] ?? []).join('\n\n'),
            options: [{ id: 'x', label, description: short() }],
          })
        }
        for (const title of texts.filter((text) => text.length <= 200)) {
          const { mission: moved } = await world.missionWith([], { project, title })
          await world.alice.call('moveMission', { id: moved.id, statusId: 'review' })
        }
        const failing = await world.missionWith([all], { project, title: short() })
        await world.alice.launch(failing.mission.objectives[0])
        await runner.failed(await runner.take(), { message: texts.slice(0, 12).join(' ') })
        const { page, misdeeds } = await openApp()
        await openNeeds(page, project)
        await page.locator('[data-need]').first().waitFor()
        const more = page.getByRole('button', { name: 'More', exact: true })
        for (let rows = 50; await more.isVisible(); rows += 50) {
          await expect.poll(() => page.locator('[data-need]').count()).toBeGreaterThanOrEqual(rows)
          await more.click()
          await expect.poll(() => page.locator('[data-need]').count()).toBeGreaterThan(rows)
        }
        expect((await needNames(page)).length).toBeGreaterThan(texts.length)
        await page.getByText('⟨U+202E⟩').first().waitFor()
        await expectText(page, misdeeds)
        // as many of them as a very tall screen has room for
        await openWall(page, project)
        await page.setViewportSize({ width: 1080, height: 3_000 })
        await expect.poll(() => wallRows(page).count()).toBeGreaterThan(Math.min(35, texts.length))
        await expectText(page, misdeeds)
      },
    )

    test(
      'on a board, its cards and its columns',
      { timeout: 600_000 },
      async ({ openApp, scene }) => {
        const { world } = scene
        const titles = texts.filter((text) => text.length <= 200)
        const { page, misdeeds } = await openApp()
        // so many of a column are in the document
        for (const slice of inSlices(titles, 5)) {
          const [name = ''] = slice.filter((text) => !text.includes('\n'))
          const slug = `board${titles.indexOf(slice[0] ?? '')}`
          const { project } = await world.alice.call('createProject', { name, slug })
          await world.alice.call('createProjectStatus', {
            id: project.id,
            label: name,
            type: 'draft',
          })
          const runner = await world.connectedRunner(project, { label: inTurn(texts)(60) })
          for (const title of slice) {
            const { mission } = await world.missionWith([title], { project, title })
            if (title !== slice[0]) continue
            const { agent } = await world.attachedRun(mission.objectives[0], runner)
            await agent.ask({ question: slice.join('\n\n') })
          }
          await openBoard(page, scene, project)
          await columnOf(page, 'In progress').locator('[data-card]').first().waitFor()
          await expect.poll(() => page.locator('[data-card]').count()).toBe(slice.length)
          await expectText(page, misdeeds)
        }
      },
    )

    test('on the pages of the audit trail and of what was used', async ({
      openApp,
      scene,
      goTo,
    }) => {
      const { alice } = scene.world
      const { mission, run, runner, short } = await hostileMission(scene, texts)
      await runner.exited(run.lease, { usage: { inputTokens: 10, outputTokens: 1, usd: '0.31' } })
      for (const label of texts.slice(0, 40).filter((text) => !text.includes('\n'))) {
        await alice.call('createUserToken', { label: label.slice(0, 200), preset: 'read_only' })
      }
      await alice.call('updateMission', { id: mission.id, title: short() })
      const { page, misdeeds } = await openApp()
      await goTo(page, '/audit')
      await page.getByRole('list', { name: 'Audit trail' }).getByRole('listitem').first().waitFor()
      for (const fold of await page.locator('main summary').all()) await fold.click()
      await page.getByRole('listitem').getByText('onerror').first().waitFor()
      await expectText(page, misdeeds)
      await goTo(page, '/usage')
      await page.getByRole('table').first().waitFor()
      await expectText(page, misdeeds)
    })

    test('on the pages of webhooks, and in what a receiver answers', async ({
      openApp,
      hooked,
      goTo,
    }) => {
      const { receiver, subscribe } = hooked
      receiver.answer((_post, response) => {
        const header = '<img src=x onerror=alert(1)>'
        response.writeHead(500, { 'content-type': 'text/html', 'x-evil': header })
        response.end(all.slice(0, 900) + '\u202Etxet')
      })
      const short = inTurn(texts)
      const names = Array.from({ length: Math.min(12, texts.length) }, () => short().trim())
      const [made] = await Promise.all(names.map((name) => subscribe({ name })))
      const { page, misdeeds } = await openApp()
      await goTo(page, '/webhooks')
      await page.getByRole('list', { name: 'Webhooks' }).getByRole('link').first().waitFor()
      await expectText(page, misdeeds)
      await goTo(page, `/webhooks/${made?.id}`)
      await page.getByRole('button', { name: 'Send test delivery' }).click()
      const result = page.getByRole('region', { name: 'Test delivery' })
      await result.getByText('status 500').waitFor()
      await logRows(page).first().waitFor()
      await expectText(page, misdeeds)
      await logRows(page).getByRole('link').click()
      await page.getByRole('list', { name: 'Tries' }).getByText('onerror').first().waitFor()
      await expectText(page, misdeeds)
    })

    test('on every page that there is', () => {
      const pages = appPages.map(({ at }) => at).filter((at) => at !== '/w/:workspace/none')
      expect(seen).toEqual(new Set(pages))
    })
  })
}

import { personWith } from '@svc/domain/testing/people'
import { expect } from 'vitest'
import { type Hostile, hostileMission, inSlices } from './hostile-scene.ts'
import { inTurn } from './hostile-texts.ts'
import { columnOf, openBoard } from './open-board.ts'
import { openMission } from './open-mission.ts'
import { needNames, openNeeds } from './open-needs.ts'
import { openReview } from './open-review.ts'
import { openRun } from './open-run.ts'
import { openWall, wallRows } from './open-wall.ts'
import { logOf } from './run-scene.ts'
import { test } from './open-webhooks.ts'

/** Missions and what becomes of them, where they are shown. */
export function onPagesOfWork({ texts, expectText }: Hostile): void {
  const all = texts.join('\n\n')

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
}

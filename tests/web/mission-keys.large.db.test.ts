import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { type ShownMission, showMission } from './mission-scene.ts'
import { objectiveRow, objectiveTitles, openMission } from './open-mission.ts'
import { test } from './scene.ts'

describe('with the keyboard alone', () => {
  /** Goes on with the Tab key until that is reached, as somebody without a mouse does. */
  async function tabTo(page: Page, name: string | RegExp): Promise<void> {
    for (let presses = 0; presses < 80; presses += 1) {
      await page.keyboard.press('Tab')
      const label = await page.evaluate<string>(`(() => {
        const it = document.activeElement
        if (it === document.body) return ''
        return (it.ariaLabel ?? it.labels?.[0]?.textContent ?? it.textContent).trim()
      })()`)
      if (typeof name === 'string' ? label === name : name.test(label)) return
    }
    throw new Error(`${String(name)} is not reached by the Tab key`)
  }

  async function begin(
    {
      openApp,
      scene,
    }: { openApp: () => Promise<{ page: Page }>; scene: Parameters<typeof openMission>[1] },
    open?: string,
  ): Promise<{ page: Page; shown: ShownMission }> {
    const shown = await showMission(scene.world)
    const { page } = await openApp()
    await openMission(page, scene, shown.mission.displayId)
    if (open === undefined) return { page, shown }
    // the first press goes to the first objective
    const focused = `document.activeElement.closest('[data-objective]')?.textContent ?? ''`
    while (!(await page.evaluate<string>(focused)).includes(open)) await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    return { page, shown }
  }

  test('a run is called off with a reason', async ({ openApp, scene }) => {
    const { page, shown } = await begin({ openApp, scene }, 'Theme switch')
    await page.keyboard.press('x')
    await page.getByRole('dialog', { name: /^Call / }).waitFor()
    await page.keyboard.type('It is not needed.')
    await page.keyboard.press('Enter')
    await page.getByText('ending').first().waitFor()
    const events = await scene.world.alice.eventsOf(shown.mission)
    expect(events[0]?.summary).toBe('The run is to end: It is not needed.')
  })

  test('an objective is submitted, sent back, queued and taken out again', async ({
    openApp,
    scene,
  }) => {
    const { page, shown } = await begin({ openApp, scene }, 'Write the docs')
    const state = async () => (await scene.world.alice.objective(shown.objectives[2])).state
    await tabTo(page, 'Submit')
    await page.keyboard.press('Enter')
    await expect.poll(state).toBe('submitted')
    await objectiveRow(page, 'Write the docs', 'ready').focus()
    await tabTo(page, 'Send back to draft')
    await page.keyboard.press('Enter')
    await expect.poll(state).toBe('draft')
    await objectiveRow(page, 'Write the docs', 'draft').focus()
    await tabTo(page, 'Queue …')
    await page.keyboard.press('Enter')
    await page
      .getByRole('dialog', { name: /^Queue / })
      .getByLabel('Place')
      .waitFor()
    await tabTo(page, 'Queue it')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'In a queue …' }).waitFor()
    await tabTo(page, 'In a queue …')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: /^Queue / })
    await dialog.getByText('Place 1 of 1').waitFor()
    await tabTo(page, 'Take it out')
    await page.keyboard.press('Enter')
    await dialog.getByLabel('Place').waitFor()
  })

  test('an objective is deleted after its list was seen, and restored', async ({
    openApp,
    scene,
  }) => {
    const { page, shown } = await begin({ openApp, scene }, 'Tell the plug-in authors')
    await tabTo(page, 'Delete …')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: /^Delete / })
    await dialog.getByText(shown.objectives[3].displayId, { exact: true }).waitFor()
    await tabTo(page, 'Delete')
    await page.keyboard.press('Enter')
    await expect.poll(() => objectiveTitles(page)).not.toContain('Tell the plug-in authors')
    await page.locator('summary').filter({ hasText: 'Deleted objectives' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('kept for').waitFor()
    await tabTo(page, 'Restore')
    await page.keyboard.press('Enter')
    await expect.poll(() => objectiveTitles(page)).toContain('Tell the plug-in authors')
  })

  test('the title, the priority and the budget are set', async ({ openApp, scene }) => {
    const { page, shown } = await begin({ openApp, scene })
    await tabTo(page, 'Edit the title')
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Title' }).waitFor()
    await page.keyboard.type('Theme chooser')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Theme chooser' }).waitFor()
    await tabTo(page, /^Priority/)
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'urgent' }).waitFor()
    await page.keyboard.press('u')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Edit the title' }).focus()
    await tabTo(page, 'More of this mission')
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Budget and settings …' }).waitFor()
    await page.keyboard.press('b')
    await page.keyboard.press('Enter')
    await page.getByLabel('Budget in runs').waitFor()
    await page.getByLabel('Budget in runs').focus()
    await page.keyboard.type('7')
    await page.keyboard.press('Enter')
    await expect
      .poll(() => scene.world.alice.mission(shown.mission))
      .toMatchObject({ title: 'Theme chooser', priority: 'urgent', budget: { runs: 7 } })
  })

  test('a file is attached, and downloaded as it was', async ({ openApp, scene }) => {
    const { page } = await begin({ openApp, scene }, 'Write the docs')
    await page.getByRole('button', { name: /^Download sketch.png/ }).waitFor()
    const choosing = page.waitForEvent('filechooser')
    await tabTo(page, 'Attach files')
    await page.keyboard.press('Enter')
    const chooser = await choosing
    const html = '<script>document.title = "run"</script>'
    await chooser.setFiles({ name: 'page.html', mimeType: 'text/html', buffer: Buffer.from(html) })
    await page.getByRole('button', { name: /^Download page.html/ }).focus()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.keyboard.press('Enter'),
    ])
    expect(download.suggestedFilename()).toBe('page.html')
    const parts = await (await download.createReadStream()).toArray()
    expect(Buffer.concat(parts).toString()).toBe(html)
    expect(await page.title()).toContain('Theme switch')
  })
})

test('a key leads from a mission to its review, once there is one', async ({ openApp, scene }) => {
  const { world } = scene
  const { mission } = await world.missionWith(['Draw them'])
  const { page } = await openApp()
  await openMission(page, scene, mission.displayId)
  await page.keyboard.press('r')
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Keys of this page' })
  await help.getByText('new objective').waitFor()
  expect(await help.getByText('review what was delivered').count()).toBe(0)
  await page.keyboard.press('Escape')
  await (await world.attachedRun(mission.objectives[0])).agent.deliver({ summary: 'Drawn.' })
  await page.getByRole('link', { name: 'Review', exact: true }).waitFor()
  await page.keyboard.press('?')
  await help.getByText('review what was delivered').waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('r')
  await page.waitForURL(/\/review/)
})

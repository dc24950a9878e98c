import { describe, expect } from 'vitest'
import { openRun } from './open-run.ts'
import { foundOf, linesOnScreen, logOf, printingRun } from './run-scene.ts'
import { test } from './scene.ts'

const numbered = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => `line ${from + index} of the log\n`).join('')

describe('the page of all runs', () => {
  test('shows each with what it is at and why, some of them by the address, as it happens', async ({
    openApp,
    scene,
    goTo,
  }) => {
    const { world } = scene
    const { asking, project } = await printingRun(world, 'begun\n')
    const { mission } = await world.missionWith(['Write it'], { title: 'Ended' })
    const { runner, lease } = await world.attachedRun(mission.objectives[0])
    const { page, misdeeds } = await openApp()
    await goTo(page, '/runs')
    const list = page.getByRole('list', { name: 'Runs' })
    const ended = list.getByRole('listitem').filter({ hasText: 'Write it' }).first()
    await ended.getByText('running', { exact: true }).waitFor()
    await runner.exited(lease, {
      exitCode: 1,
      agentError: 'No key.',
      usage: { inputTokens: 21_000, outputTokens: 1_400, usd: '0.31' },
    })
    await ended.getByText('It said last: No key.').waitFor()
    await ended.getByText('22 k tokens · $0.31').waitFor()

    await page.getByLabel('Project', { exact: true }).selectOption({ label: project.name })
    await page.getByLabel('State', { exact: true }).selectOption('queued or under way')
    await expect.poll(() => page.url()).toContain('states=live')
    await expect.poll(() => list.getByRole('listitem').count()).toBe(1)
    await list.getByText('writing tests').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/runs/${asking.lease.id}`)
    await page.getByRole('heading', { name: /^Run of web/ }).waitFor()
    expect(misdeeds).toEqual([])
  })
})

describe('the page of a run', () => {
  test('says how it came on, what it was launched with, and what it does', async ({
    openApp,
    scene,
  }) => {
    const { id, asking } = await printingRun(scene.world, 'begun\n')
    const { page, misdeeds } = await openApp()
    await openRun(page, scene, id)
    const steps = page.getByRole('list', { name: 'Steps' })
    for (const word of ['queued', 'claimed', 'agent started', 'agent at work']) {
      await steps.getByText(word).waitFor()
    }
    await page.getByText('writing tests').waitFor()
    await asking.agent.heartbeat({ percent: 80, note: 'almost there' })
    await page.getByText('almost there').waitFor()
    await page.locator('summary').filter({ hasText: 'Settings' }).click()
    await page.getByText('As the agent has it.').first().waitFor()
    expect(misdeeds).toEqual([])
  })

  test('shows its log from the end, and what is printed as it is', async ({ openApp, scene }) => {
    const { id, print } = await printingRun(scene.world, numbered(1, 3_000))
    const { page, misdeeds } = await openApp()
    await openRun(page, scene, id)
    await expect.poll(async () => (await linesOnScreen(page)).at(-1)).toBe('line 3000 of the log')
    await logOf(page).getByRole('link', { name: 'Line 3000', exact: true }).waitFor()
    await print(numbered(3_001, 500))
    await expect.poll(async () => (await linesOnScreen(page)).at(-1)).toBe('line 3500 of the log')

    // whoever reads further up stays there, and is told that there is more
    await logOf(page).focus()
    await page.keyboard.press('Home')
    await expect.poll(async () => (await linesOnScreen(page))[0]).toBe('line 1 of the log')
    await print(numbered(3_501, 100))
    const more = page.getByRole('button', { name: /more$/ })
    await more.waitFor()
    expect((await linesOnScreen(page))[0]).toBe('line 1 of the log')
    await more.click()
    await expect.poll(async () => (await linesOnScreen(page)).at(-1)).toBe('line 3600 of the log')
    expect(misdeeds).toEqual([])
  })

  test('finds a word in all of its log, leads to a line by its address, and to the file', async ({
    openApp,
    scene,
  }) => {
    const printed = `${numbered(1, 2_000)}the \u001b[31mneedle\u001b[0m is here\n${numbered(1, 2_000)}NEEDLE again\n${numbered(1, 500)}`
    const { id, print } = await printingRun(scene.world, printed)
    const { page, misdeeds } = await openApp()
    await openRun(page, scene, id)
    await page.keyboard.press('f')
    const field = page.getByRole('searchbox', { name: 'Find in this log' })
    await field.fill('needle')
    await foundOf(page, '2 of 2 found').waitFor()
    await expect.poll(() => linesOnScreen(page)).toContain('NEEDLE again')
    await field.press('Enter')
    await foundOf(page, '1 of 2 found').waitFor()
    await expect.poll(() => linesOnScreen(page)).toContain('the needle is here')
    expect(await logOf(page).locator('mark').allTextContents()).toEqual(['needle'])
    await print('a third needle\n')
    await foundOf(page, '1 of 3 found').waitFor()
    await field.press('Escape')

    const link = logOf(page).getByRole('link', { name: 'Line 2001', exact: true })
    await link.click()
    await expect.poll(() => page.url()).toMatch(/\?at=\d+$/)
    await page.reload()
    await expect.poll(() => linesOnScreen(page)).toContain('the needle is here')
    const current = logOf(page).locator('[data-current]')
    expect(await current.textContent()).toContain('needle')

    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download' }).click()
    const file = await downloading
    expect(file.suggestedFilename()).toMatch(/^web\d*-.*\.log$/)
    const parts: Buffer[] = []
    for await (const part of await file.createReadStream()) parts.push(part as Buffer)
    expect(Buffer.concat(parts).toString()).toBe(`${printed}a third needle\n`)
    expect(misdeeds.filter((one) => !one.startsWith('blob:'))).toEqual([])
  })

  test('draws colours and gaps, and everything else that a terminal would act on as a sign', async ({
    openApp,
    scene,
  }) => {
    const { id, print } = await printingRun(
      scene.world,
      '\u001b[1;32mPASS\u001b[0m one\n\u001b]0;title\u0007\u001b[2Kclean\n\u202Eevil\u0007\n',
    )
    await print('after the gap\n', 1_000)
    const { page, misdeeds } = await openApp()
    await openRun(page, scene, id)
    await logOf(page).getByText('… 1,000 bytes of output are not kept …').waitFor()
    expect(await linesOnScreen(page)).toEqual([
      'PASS one',
      'clean',
      '⟨U+202E⟩evil␇',
      'after the gap',
    ])
    const weight = await page.evaluate<string>(
      `getComputedStyle(document.querySelector('[data-offset="0"] bdi span')).fontWeight`,
    )
    expect(weight).toBe('700')
    await logOf(page).getByRole('link', { name: 'Line 2', exact: true }).waitFor()
    await logOf(page)
      .getByRole('link', { name: /^From byte/ })
      .waitFor()
    expect(misdeeds).toEqual([])
  })

  test('cancels it with a reason, and lets one go on that ended', async ({ openApp, scene }) => {
    const { world } = scene
    const { mission } = await world.missionWith(['Write it'], { title: 'To cancel' })
    const { runner, lease } = await world.attachedRun(mission.objectives[0])
    const { page, misdeeds } = await openApp()
    await openRun(page, scene, lease.id)
    await page.keyboard.press('x')
    await page.getByLabel('Reason').fill('wrong agent')
    await page.getByRole('button', { name: 'Cancel the run' }).click()
    await page.getByText('ending', { exact: true }).waitFor()
    expect(await page.getByRole('button', { name: 'Cancel …' }).count()).toBe(0)
    await runner.exited(lease, { cause: 'cancelled' })
    await page.getByText('wrong agent').first().waitFor()

    const { mission: other } = await world.missionWith(['Write it'], { title: 'To go on' })
    const second = await world.attachedRun(other.objectives[0])
    await second.runner.exited(second.lease, { exitCode: 1 })
    await openRun(page, scene, second.lease.id)
    await page.getByRole('button', { name: 'Go on where it ended' }).click()
    await page.waitForURL((url) => !url.pathname.endsWith(second.lease.id))
    await page.getByText('queued', { exact: true }).first().waitFor()
    expect(misdeeds).toEqual([])
  })
})

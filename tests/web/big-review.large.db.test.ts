import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import {
  bigReview,
  binaryFile,
  cutFile,
  fileAt,
  longFile,
  longLines,
  tooLargeFile,
} from './big-review-scene.ts'
import type { PageScene } from '../pages/scene.ts'
import { builtWebApp } from './built.ts'
import { openReview } from './open-review.ts'
import { bytesIn, costsOf } from './page-costs.ts'
import { readsOnce } from './reads-once.ts'
import { test as base } from './scene.ts'

const most = 5_000
const test = base.extend('mission', { scope: 'file' }, ({ scene }) => bigReview(scene.world, most))

async function open(page: Page, scene: PageScene, displayId: string, search = '') {
  await openReview(page, scene, { displayId }, search)
  await listOf(page).getByRole('listitem').first().waitFor()
}

const listOf = (page: Page) => page.getByRole('list', { name: 'Changed files' })
const openFile = (page: Page) =>
  page.getByRole('region', { name: /^File / }).getAttribute('aria-label')
const linesOf = (page: Page) => page.getByRole('button', { name: /note on / }).count()
const field = (page: Page) => page.getByRole('searchbox', { name: 'Find a file' })

async function find(page: Page, text: string): Promise<void> {
  await page.keyboard.press('f')
  await field(page).fill(text)
}

async function note(page: Page, place: string, text: string): Promise<void> {
  // also the lines 30 to 39 begin like the third
  await page.getByRole('button', { name: new RegExp(`note on ${place}$`) }).click()
  await page.getByLabel(`Note on ${place}`, { exact: true }).fill(text)
  await page.getByRole('button', { name: 'Done' }).click()
}

/** What one has to read and to draw to see the review. */
async function costOf(page: Page, scene: PageScene, displayId: string) {
  await readsOnce(page, scene)
  const heard = costsOf(page)
  // read when the page is there
  const later = page.waitForResponse(/\/api\/needs\?/)
  await open(page, scene, displayId, `?f=${fileAt(4)}`)
  await page.getByText('const name = 4').waitFor()
  await later
  await expect.poll(heard.pending).toBe(0)
  const costs = await heard.all(await builtWebApp())
  return {
    requests: costs.map(({ what }) => decodeURIComponent(what).replace(displayId, ':m')).toSorted(),
    nodes: await page.evaluate<number>(`document.querySelectorAll('*').length`),
    bytes: bytesIn(costs),
  }
}

describe('a change of 5,000 files', () => {
  test('is opened by what one of 50 files asks for, and has as much in its document', async ({
    openApp,
    scene,
    mission,
  }) => {
    const few = await bigReview(scene.world, 50)
    const [{ page }, other] = [await openApp(), await openApp()]
    const ofFew = await costOf(page, scene, few.displayId)
    const ofMany = await costOf(other.page, scene, mission.displayId)
    expect(ofMany.requests).toEqual(ofFew.requests)
    expect(ofMany.nodes).toBeLessThanOrEqual(ofFew.nodes * 1.1)
    // a page has the names of a thousand files
    expect(ofMany.bytes - ofFew.bytes).toBeLessThanOrEqual(32 * 1024)
  })

  test('is scrolled through to its end, by reason, with the rows alone that can be seen', async ({
    openApp,
    scene,
    mission,
  }) => {
    const { page, misdeeds } = await openApp()
    const pages: string[] = []
    page.on('response', (response) => {
      if (/\/files\?/.test(response.url())) pages.push(response.url())
    })
    await open(page, scene, mission.displayId)
    const rows = listOf(page).getByRole('listitem')
    expect(await rows.nth(0).innerText()).toMatch(/^The search itself\s*12$/)
    await listOf(page).getByRole('button').first().focus()
    await expect
      .poll(async () => {
        await page.keyboard.press('End')
        expect(await rows.count()).toBeLessThan(60)
        return rows.last().innerText()
      })
      .toContain('file-4999.ts')
    expect(pages).toHaveLength(5)
    await page.keyboard.press('Home')
    await page.getByRole('button', { name: /^The search itself/ }).waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => listOf(page).getByText('file-0004.ts').count()).toBe(0)
    expect(misdeeds).toEqual([])
  })

  test('is walked through by keys, each patch read once, and none but that of the next file ahead', async ({
    openApp,
    scene,
    mission,
  }) => {
    const { page, misdeeds } = await openApp()
    await open(page, scene, mission.displayId)
    await page.getByText('const name = 4').waitFor()
    const patches: string[] = []
    page.on('response', (response) => {
      if (/\/files\/\d+$/.test(response.url())) patches.push(response.url())
    })
    const seen = [fileAt(4)]
    for (let step = 0; step < 40; step += 1) {
      const before = await openFile(page)
      await page.keyboard.press(step % 2 === 0 ? 'v' : 'n')
      await expect.poll(() => openFile(page)).not.toBe(before)
      seen.push((await openFile(page))?.slice('File '.length) ?? '')
      await page
        .getByText(/const name|lines/)
        .first()
        .waitFor()
      // who leaves a file before its lines are there does not read them
      await expect.poll(() => patches).toHaveLength(step + 2)
      expect(await linesOf(page)).toBeLessThanOrEqual(2_000)
    }
    expect(new Set(seen).size).toBe(41)
    await page.getByText(`20 of ${most} viewed`).waitFor()
    await page.keyboard.press('p')
    await expect.poll(() => openFile(page)).toBe(`File ${seen.at(-2)}`)
    expect(patches).toHaveLength(41)
    await page.reload()
    await page.getByText(`20 of ${most} viewed`).waitFor()
    expect(misdeeds).toEqual([])
  })

  test('keeps the notes on lines that come and go, and asks for changes with all of them', async ({
    openApp,
    scene,
  }) => {
    const mission = await bigReview(scene.world, most)
    const { page, misdeeds } = await openApp()
    await open(page, scene, mission.displayId, `?f=${longFile}`)
    await note(page, `${longFile}:3`, 'At its beginning.')
    // to its last line, and back
    await page.keyboard.press('k')
    await page.keyboard.press('k')
    await page.getByText('line 2', { exact: true }).waitFor()
    for (const place of ['end', 'beginning']) {
      await page.evaluate(
        place === 'end'
          ? 'window.scrollTo(0, document.body.scrollHeight)'
          : 'window.scrollTo(0, 0)',
      )
      const line = place === 'end' ? `line ${longLines - 1}` : 'line 1'
      await page.getByText(line, { exact: true }).waitFor()
      expect(await linesOf(page)).toBeLessThanOrEqual(2_000)
    }
    await page.getByText('At its beginning.').waitFor()
    // a file of the last page
    await find(page, 'part-39 4999')
    await page.getByText(`1 of ${most} found`, { exact: true }).waitFor()
    await field(page).press('Enter')
    await page.getByText('const name = 4999').waitFor()
    await note(page, `${fileAt(4_999)}:2`, 'In the last one.')
    await page.reload()
    await page.getByText('In the last one.').waitFor()
    await page.getByText('2 notes', { exact: true }).waitFor()
    await page.keyboard.press('R')
    const dialog = page.getByRole('dialog', { name: 'Ask for changes' })
    const instruction = await dialog.getByLabel('What is to be different').inputValue()
    expect(instruction.split('\n')).toEqual([
      `${longFile}:3: At its beginning.`,
      `${fileAt(4_999)}:2: In the last one.`,
    ])
    await dialog.getByRole('button', { name: 'Add objective' }).click()
    await dialog.waitFor({ state: 'detached' })
    const { objectives } = await scene.world.alice.mission(mission)
    expect(objectives.at(-1)).toMatchObject({ instruction })
    await expect.poll(() => page.getByText('2 notes', { exact: true }).count()).toBe(0)
    expect(misdeeds).toEqual([])
  })

  test('says of lines that are not there why, and the command that shows them', async ({
    openApp,
    scene,
    mission,
  }) => {
    const { page, misdeeds } = await openApp()
    await open(page, scene, mission.displayId, `?f=${binaryFile}`)
    await page.getByText('It is no text, so it has no lines to show.').waitFor()
    const range = `${'a'.repeat(12)}..${'b'.repeat(12)}`
    for (const [path, sentence] of [
      [tooLargeFile, /^Its lines are not kept here: they are too many/],
      [cutFile, /^Its lines are cut here/],
    ] as const) {
      await find(page, path)
      await field(page).press('Enter')
      await page.getByText(sentence).waitFor()
      await page.getByText(`git diff ${range} -- ${path}`, { exact: true }).waitFor()
    }
    await page.getByText('before the cut').waitFor()
    expect(misdeeds).toEqual([])
  })

  test('is read on a phone, from the list to a file and back to the same place', async ({
    openApp,
    scene,
    mission,
  }) => {
    const { page, misdeeds } = await openApp()
    await page.setViewportSize({ width: 360, height: 740 })
    await open(page, scene, mission.displayId)
    const rows = listOf(page).getByRole('listitem')
    await field(page).fill('part-7 file')
    await page.getByText(`125 of ${most} found`, { exact: true }).waitFor()
    await rows.filter({ hasText: 'file-0007.ts' }).scrollIntoViewIfNeeded()
    await listOf(page).getByRole('button').first().focus()
    await page.keyboard.press('End')
    const last = page.getByRole('button', { name: 'file-4967.ts' })
    await last.click()
    await page.getByText('const name = 4967').waitFor()
    expect(await rows.count()).toBe(0)
    await page.getByRole('button', { name: 'All files' }).first().click()
    await expect.poll(async () => (await last.boundingBox())?.y).toBeLessThan(740)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
    expect(misdeeds).toEqual([])
  })
})

import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { bigLog, linesOfPiece, pieces } from './big-log-scene.ts'
import { openRun } from './open-run.ts'
import { foundOf, linesOnScreen, logOf } from './run-scene.ts'
import { readsOnce } from './reads-once.ts'
import { test } from './scene.ts'

const numbersOnScreen = async (page: Page) =>
  (await linesOnScreen(page)).map((text) => Number(text.slice(0, 9)))

test('a log of 100 MB is opened at its end, followed, read back and looked through, and never held as a whole', async ({
  openApp,
  scene,
}) => {
  const { id, lines, print } = await bigLog(scene.world)

  const { page, misdeeds } = await openApp()
  await readsOnce(page, scene)
  const reads: number[] = []
  page.on('response', (response) => {
    if (!response.url().includes('/log?')) return
    reads.push(Number(response.headers()['content-length'] ?? 0))
  })
  await openRun(page, scene, id)
  await expect.poll(async () => (await numbersOnScreen(page)).at(-1)).toBe(lines - 1)
  expect(reads.length).toBeLessThanOrEqual(4)

  await print(pieces)
  await expect.poll(async () => (await numbersOnScreen(page)).at(-1)).toBe(lines + linesOfPiece - 1)

  // up, over several pieces, without a line left out
  const frame = logOf(page)
  await frame.hover()
  const seen = new Set<number>()
  for (let turn = 0; turn < 40; turn += 1) {
    const shown = await numbersOnScreen(page)
    for (const number of shown) seen.add(number)
    await page.mouse.wheel(0, -300)
    await expect.poll(async () => (await numbersOnScreen(page))[0]).not.toBe(shown[0])
  }
  const numbers = [...seen].toSorted((one, other) => one - other)
  expect(numbers.length).toBeGreaterThan(100)
  expect((numbers.at(-1) ?? 0) - (numbers[0] ?? 0)).toBe(numbers.length - 1)
  await frame.focus()
  const top = async () => (await numbersOnScreen(page))[0] ?? 0
  const before = await top()
  await page.keyboard.press('Home')
  await expect.poll(top).toBeLessThan(before - linesOfPiece / 2)

  // all of it is looked through, and gone through from hit to hit
  await page.keyboard.press('f')
  const field = page.getByRole('searchbox', { name: 'Find in this log' })
  await field.fill('Needle')
  await foundOf(page, `${pieces + 1} of ${pieces + 1} found`).waitFor({ timeout: 240_000 })
  await field.press('Shift+Enter')
  await foundOf(page, `1 of ${pieces + 1} found`).waitFor()
  await expect.poll(() => numbersOnScreen(page)).toContain(4_000)
  // since all of it was looked through, the number of each line is known
  await field.press('Enter')
  await expect.poll(() => numbersOnScreen(page)).toContain(pieces * linesOfPiece + 4_000)
  const number = pieces * linesOfPiece + 4_001
  await frame.getByRole('link', { name: `Line ${number}`, exact: true }).waitFor()

  // far up piece by piece: what is held is bounded in rows of the document
  expect(await frame.locator('[data-offset]').count()).toBeLessThan(200)
  expect(misdeeds).toEqual([])
})

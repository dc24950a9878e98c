import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { PageScene } from '../pages/scene.ts'
import { inTurn } from './hostile-texts.ts'

/** The texts, and what is held of each page that shows them. */
export interface Hostile {
  texts: readonly string[]
  /** The page that is open shows them as text, and nothing else has come of them. */
  expectText: (page: Page, misdeeds: readonly string[]) => Promise<void>
}

export const inSlices = (texts: readonly string[], most: number) =>
  Array.from({ length: Math.ceil(texts.length / most) }, (_, index) =>
    texts.slice(index * most, (index + 1) * most),
  )

/** Nothing of it is an element, runs, is asked for, or hides in which direction it is written. */
export async function expectOnlyText(page: Page, misdeeds: readonly string[]): Promise<void> {
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
export async function hostileMission({ world }: PageScene, texts: readonly string[]) {
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

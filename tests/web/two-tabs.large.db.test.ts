import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { captureField, itemOf } from './open-inbox.ts'
import { objectiveTitles, openMission } from './open-mission.ts'
import { expectLive, test } from './scene.ts'

/** What is typed is kept where other tabs see it a moment later. */
async function expectKept(page: Page, text: string) {
  const kept = () => page.evaluate<string>('JSON.stringify(Object.values(localStorage))')
  await expect.poll(kept).toContain(text)
}

describe('two tabs of one person with the same field', () => {
  for (const first of ['sent', 'other'] as const) {
    test(`send what each of them holds, where ${first === 'sent' ? 'the other text' : 'the text that is sent'} was typed last`, async ({
      openApp,
      scene,
    }) => {
      const { mission } = await scene.world.missionWith([])
      const { page: one } = await openApp()
      const other = await one.context().newPage()
      const fieldOf = (page: Page) => page.getByLabel('New objective')
      for (const page of [one, other]) {
        await openMission(page, scene, mission.displayId)
        await page.keyboard.press('o')
        await fieldOf(page).waitFor()
      }
      const texts = { sent: 'Alpha', other: 'Beta, which is longer' }
      const fields = { sent: fieldOf(one), other: fieldOf(other) }
      for (const which of first === 'sent'
        ? (['sent', 'other'] as const)
        : (['other', 'sent'] as const)) {
        await fields[which].fill(texts[which])
        await expectKept(one, texts[which])
      }
      await fields.sent.press('Control+Enter')
      await expect.poll(() => fields.sent.inputValue()).toBe('')
      await expect.poll(() => objectiveTitles(other)).toEqual(['Alpha'])
      expect(await fields.other.inputValue()).toBe(texts.other)
      await expectKept(one, texts.other)
      await other.reload()
      await expectLive(other)
      expect(await fields.other.inputValue()).toBe(texts.other)
      await fields.other.press('Control+Enter')
      await expect.poll(() => fields.other.inputValue()).toBe('')
      await expect.poll(() => objectiveTitles(one)).toEqual(['Alpha', texts.other])
      expect(await fields.sent.inputValue()).toBe('')
    })
  }

  test('show the same text, which goes from both once it is sent from one', async ({
    openApp,
    scene,
    goTo,
  }) => {
    const { page: one } = await openApp()
    await goTo(one, '/inbox')
    await captureField(one).fill('Noted in one tab')
    await expectKept(one, 'Noted in one tab')
    const other = await one.context().newPage()
    await goTo(other, '/inbox')
    expect(await captureField(other).inputValue()).toBe('Noted in one tab')
    await captureField(one).press('Control+Enter')
    await itemOf(other, 'Noted in one tab').waitFor()
    await expect.poll(() => captureField(other).inputValue()).toBe('')
    await captureField(other).press('Control+Enter')
    await captureField(other).fill('Noted in the other one')
    await captureField(other).press('Control+Enter')
    await itemOf(one, 'Noted in the other one').waitFor()
    const { inboxItems } = await scene.world.alice.call('listInboxItems', { limit: 200 })
    expect(inboxItems.map(({ title }) => title).toSorted()).toEqual([
      'Noted in one tab',
      'Noted in the other one',
    ])
  })

  test('begin a mission with an objective once, and both fields of the other one are empty', async ({
    openApp,
    scene,
    goTo,
  }) => {
    const { project } = await scene.world.missionWith([])
    const { page: one } = await openApp()
    const other = await one.context().newPage()
    const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'New mission' })
    const open = async (page: Page) => {
      await goTo(page, `/p/${project.slug}`)
      await page.getByRole('button', { name: 'New mission', exact: true }).click()
      await dialogOf(page).waitFor()
    }
    await open(one)
    await dialogOf(one).getByLabel('Title').fill('Made once')
    await dialogOf(one).getByLabel('What is to be done first').fill('Begin it.')
    await expectKept(one, 'Begin it.')
    await open(other)
    expect(await dialogOf(other).getByLabel('Title').inputValue()).toBe('Made once')
    await dialogOf(one).getByRole('button', { name: 'Create' }).click()
    await dialogOf(one).waitFor({ state: 'detached' })
    for (const label of ['Title', 'What is to be done first']) {
      await expect.poll(() => dialogOf(other).getByLabel(label).inputValue()).toBe('')
    }
  })
})

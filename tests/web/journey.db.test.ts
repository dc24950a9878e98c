import { enrol } from '@svc/domain/testing/enrol'
import { verifies } from '@svc/testing/verifies'
import { expect } from 'vitest'
import { openRealWork } from './real-work.ts'
import { expectLive, test } from './scene.ts'

test(
  verifies(
    'service.launch-to-review',
    'a new workspace is led from its first project over a launch, a question and a delivery to what is accepted',
  ),
  async ({ windowOf, scene }) => {
    const workspace = 'journey'
    const newcomer = await enrol(scene.world.domain, { workspace, name: 'newcomer' })
    const { page, misdeeds } = await windowOf(newcomer)
    await page.goto(`/w/${workspace}/projects`)
    await expectLive(page)
    await page.getByText('There is no project yet').waitFor()
    await page.keyboard.press('c')
    await page.getByLabel('Name').fill('First of all')
    await page.keyboard.press('Enter')
    await page.getByRole('list', { name: 'Projects' }).getByText('First of all').waitFor()

    const instructions = ['Write a line.\nscripted: ask']
    await using work = await openRealWork(scene, { workspace, instructions })
    await page.keyboard.press('/')
    await page.getByRole('searchbox').fill('write a line')
    await page.getByRole('list', { name: 'Missions found' }).getByRole('link').waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Objectives' }).waitFor()

    await page.keyboard.press('l')
    const sheet = page.getByRole('dialog', { name: /^Launch / })
    await sheet.getByRole('region', { name: 'Who can take it' }).getByText('idle').waitFor()
    await sheet.getByLabel('Agent').selectOption('scripted')
    await page.keyboard.press('Control+Enter')
    await sheet.waitFor({ state: 'detached' })

    const timeline = page.getByRole('region', { name: 'Timeline' })
    await timeline.getByText(/^Claimed by /).waitFor()
    const questions = page.getByRole('region', { name: 'Questions' })
    await questions.getByRole('textbox', { name: 'An answer in your words' }).waitFor()
    await page.keyboard.press('a')
    await page.keyboard.type('English.')
    await page.keyboard.press('Control+Enter')
    await timeline.getByText('Wrote scripted-agent.md.').waitFor()

    const review = page.getByRole('link', { name: 'Review', exact: true }).first()
    await review.click()
    await page.getByRole('heading', { name: 'Files' }).waitFor()
    await page
      .getByRole('button', { name: /scripted-agent\.md/ })
      .first()
      .waitFor()
    await page.keyboard.press('A')
    await page
      .getByRole('dialog', { name: /^Accept / })
      .getByRole('button', { name: 'Accept' })
      .click()
    await page.getByText('It is accepted and closed.').waitFor()
    expect(await work.phase()).toBe('complete')
    expect(misdeeds).toEqual([])
  },
)

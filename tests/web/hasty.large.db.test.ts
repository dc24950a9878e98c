import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { cardIn, openBoard } from './open-board.ts'
import { objectiveRow, openMission } from './open-mission.ts'
import { expectLive, test } from './scene.ts'

/** The code of dialogs comes once it is let go; `asked` resolves when the page wants it. */
async function holdDialogs(page: Page) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  await page.route('**/dialogs-*.js', async (route) => {
    asked.resolve()
    await released
    return route.fallback()
  })
  return { asked: asked.promise, release }
}

/** What the page sends from now on to change something, each with an answer that waits until it is let go. */
async function holdAnswers(page: Page) {
  const sent: string[] = []
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/api/**', async (route) => {
    const { method, url } = { method: route.request().method(), url: route.request().url() }
    if (method === 'GET') return route.fallback()
    sent.push(new URL(url).pathname.split('/').at(-1) ?? '')
    await released
    return route.fallback()
  })
  return { sent, release }
}

describe('who does a thing twice in a hurry', () => {
  test('by two clicks has sent it once, and is refused nothing', async ({ openApp, scene }) => {
    const { mission } = await scene.world.missionWith(['Write the docs'])
    const { page } = await openApp()
    await openMission(page, scene, mission.displayId)
    await objectiveRow(page, 'Write the docs', 'draft').click()
    const { sent, release } = await holdAnswers(page)
    await page.getByRole('button', { name: 'Submit' }).dblclick()
    await expect.poll(() => sent).toEqual(['submit'])
    release()
    await page.getByRole('button', { name: 'Send back to draft' }).waitFor()
    expect(sent).toEqual(['submit'])
  })

  test('by pressing Enter twice on a title that is not saved finds the title there', async ({
    openApp,
    scene,
  }) => {
    const { mission } = await scene.world.missionWith([], { title: 'Theme switch' })
    const { page } = await openApp()
    await openMission(page, scene, mission.displayId)
    await page.route('**/api/missions/*', (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.fallback(),
    )
    await page.getByRole('button', { name: 'Edit the title' }).click()
    await page.getByRole('textbox', { name: 'Title' }).fill('Theme chooser')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Send again' }).waitFor()
    expect(await page.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Theme chooser')
    await page.unroute('**/api/missions/*')
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByRole('heading', { name: 'Theme chooser' }).waitFor()
  })
})

test('what the service has done and then broken off over is sent again under its key, and done once', async ({
  openApp,
  scene,
}) => {
  const { page } = await openApp()
  await page.goto('/w/here/projects')
  await expectLive(page)
  const error = { code: 'internal', message: 'Something went wrong here.', requestId: 'r' }
  await page.route('**/api/projects', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    await route.fetch()
    return route.fulfill({ status: 500, json: { error } })
  })
  await page.getByRole('button', { name: 'New project' }).click()
  await page.getByLabel('Name').fill('Broken off')
  await page.getByRole('button', { name: 'Create' }).click()
  const dialog = page.getByRole('dialog', { name: 'New project' })
  await dialog.getByText('Something went wrong here.').waitFor()
  await page.unroute('**/api/projects')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.waitFor({ state: 'detached' })
  const { projects } = await scene.world.alice.call('listProjects', {})
  expect(projects.filter(({ name }) => name === 'Broken off')).toHaveLength(1)
})

test('what could not be read for a mistake of the service is read anew as soon as the feed goes on', async ({
  openApp,
  scene,
}) => {
  const { page } = await openApp()
  let isBroken = true
  const error = { code: 'internal', message: 'Something went wrong here.', requestId: 'r' }
  await page.route('**/api/projects', (route) =>
    isBroken ? route.fulfill({ status: 500, json: { error } }) : route.fallback(),
  )
  await page.route('**/api/feed', (route) => (isBroken ? route.abort() : route.fallback()))
  await scene.world.alice.call('createProject', { name: 'Read in the end' })
  await page.goto('/w/here/projects')
  await page.getByText('Something went wrong here.').waitFor()
  isBroken = false
  await page.getByRole('list', { name: 'Projects' }).getByText('Read in the end').waitFor()
})

test('a dialog that is open over every page is closed by whatever leads to another page', async ({
  openApp,
  scene,
}) => {
  const { mission } = await scene.world.missionWith([], { title: 'Findable among many' })
  const { page } = await openApp()
  await page.goto('/w/here/projects')
  await expectLive(page)
  const dialog = page.getByRole('dialog')
  await page.keyboard.press('/')
  await page.getByRole('searchbox').fill('findable')
  await dialog.getByRole('link', { name: mission.displayId }).click()
  await page.getByRole('heading', { name: 'Findable among many' }).waitFor()
  expect(await dialog.count()).toBe(0)
  await page.keyboard.press('?')
  await dialog.waitFor()
  await page.goBack()
  await page.getByRole('heading', { name: 'Projects' }).waitFor()
  expect(await dialog.count()).toBe(0)
  await page.keyboard.press('/')
  await page.getByRole('searchbox').fill('findable')
  await dialog.getByRole('link', { name: mission.displayId }).waitFor()
})

test('on a phone a title without a space makes no dialog scroll sideways', async ({
  openApp,
  scene,
}) => {
  await scene.world.missionWith([], { title: `findable ${'W'.repeat(150)}` })
  const { page } = await openApp()
  await page.setViewportSize({ width: 320, height: 700 })
  await page.goto('/w/here/projects')
  await expectLive(page)
  await page.keyboard.press('/')
  await page.getByRole('searchbox').fill('findable')
  await page.getByRole('dialog').getByText('WWW').first().waitFor()
  expect(await page.evaluate(`document.querySelector('dialog[open]').scrollWidth`)).toBe(320)
})

test('what is typed right behind the key that opens a dialog is in its field, and no key of the page', async ({
  openApp,
  scene,
}) => {
  const { project } = await scene.world.missionWith([], { title: 'First of them' })
  const { page } = await openApp()
  const { asked, release } = await holdDialogs(page)
  await page.clock.install()
  await openBoard(page, scene, project)
  await cardIn(page, 'Backlog', 'First of them').waitFor()
  // keys are kept for three seconds
  await page.clock.pauseAt(Date.now() + 1_000)
  // f would filter, j and m go to a card and move it
  await page.keyboard.type('cfive jumq')
  await page.keyboard.press('Backspace')
  await page.keyboard.type('ps')
  await asked
  await page.clock.resume()
  release()
  const dialog = page.getByRole('dialog', { name: 'New mission' })
  await dialog.waitFor()
  await page.keyboard.type(' more')
  await expect.poll(() => dialog.getByLabel('Title').inputValue()).toBe('five jumps more')
  await page.keyboard.press('Control+Enter')
  await cardIn(page, 'Backlog', 'five jumps more').waitFor()
})

test('while a dialog cannot be loaded, a field has its keys, and Escape gives the dialog up', async ({
  openApp,
  scene,
}) => {
  const { project } = await scene.world.missionWith([], { title: 'First of them' })
  const { page } = await openApp()
  const { release } = await holdDialogs(page)
  await page.clock.install()
  await openBoard(page, scene, project)
  await cardIn(page, 'Backlog', 'First of them').waitFor()
  // that long the key is waited for
  await page.clock.pauseAt(Date.now() + 1_000)
  await page.keyboard.press('c')
  const filter = page.getByRole('searchbox')
  await filter.click()
  await page.keyboard.type('first')
  expect(await filter.inputValue()).toBe('first')
  await filter.blur()
  await page.keyboard.type('x')
  await page.keyboard.press('Escape')
  await page.clock.resume()
  release()
  // what waits is there by then, if it comes at all
  await page.keyboard.press('?')
  await page.getByRole('dialog').waitFor()
  expect(await page.getByRole('dialog').count()).toBe(1)
  expect(await page.getByRole('dialog', { name: 'New mission' }).count()).toBe(0)
})

describe('whoever types into a field that is taken away', () => {
  test('presses no key of the page with the rest of the sentence', async ({ openApp, scene }) => {
    const { world } = scene
    const { mission } = await world.missionWith(['Write the docs'])
    const { page } = await openApp()
    await openMission(page, scene, mission.displayId)
    await objectiveRow(page, 'Write the docs', 'draft').click()
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    const field = page.getByLabel('Instruction')
    await field.press('Control+End')
    await page.keyboard.type(' half of a')
    await world.startedRun(mission.objectives[0])
    await field.waitFor({ state: 'detached' })
    // x calls off, o adds an objective, i notes something down, and a space presses what has the focus
    await page.keyboard.type(' xo i')
    await page.keyboard.press('Enter')
    await page.getByLabel('what you had written', { exact: true }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(await page.getByLabel('New objective').count()).toBe(0)
    // whoever goes elsewhere has seen it
    await page.keyboard.press('Tab')
    await page.keyboard.press('o')
    await page.getByLabel('New objective').waitFor()
  })

  test('answers no other question with it, until there was a pause', async ({ openApp, scene }) => {
    const { world } = scene
    const { mission } = await world.missionWith(['One', 'Two'], { allowParallelObjectives: true })
    const options = [
      { id: 'keep', label: 'Keep it' },
      { id: 'rename', label: 'Rename it' },
    ]
    const [one, two] = mission.objectives
    const asked = await (await world.attachedRun(one)).agent.ask({ question: 'One?', options })
    await (await world.attachedRun(two)).agent.ask({ question: 'Two?', options })
    const { page } = await openApp()
    await page.clock.install()
    await openMission(page, scene, mission.displayId)
    const first = page.getByRole('article', { name: `Question of ${one.displayId}` })
    const second = page.getByRole('article', { name: `Question of ${two.displayId}` })
    const field = first.getByRole('textbox')
    await field.click()
    await page.keyboard.type('Version')
    await world.bob.call('answerQuestion', { id: asked.questionId, text: 'Neither.' })
    await field.waitFor({ state: 'detached' })
    await page.keyboard.type(' 2')
    await first.getByText('Neither.').waitFor()
    const option = second.getByRole('button', { name: 'Rename it' })
    expect(await option.isEnabled()).toBe(true)
    await page.clock.fastForward(2_500)
    await page.keyboard.press('2')
    await option.waitFor({ state: 'detached' })
  })
})

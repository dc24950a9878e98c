import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { deliverAgain, deliveredMission, longFile } from '../pages/delivered-mission.ts'
import type { PageScene } from '../pages/scene.ts'
import { openReview } from './open-review.ts'
import { expectLive, test } from './scene.ts'

async function review(page: Page, scene: PageScene, search = '') {
  const { mission } = await deliveredMission(scene.world)
  await openReview(page, scene, mission, search)
  return mission
}

const search = 'src/missions/search.ts'

const endingWith = (text: string) => new RegExp(`${text.replaceAll(/[().]/g, '\\$&')}$`)

async function note(page: Page, place: string, text: string): Promise<void> {
  await page.getByRole('button', { name: endingWith(`note on ${place}`) }).click()
  await page.getByLabel(`Note on ${place}`, { exact: true }).fill(text)
  await page.getByRole('button', { name: 'Done' }).click()
}

describe('a delivered mission', () => {
  test('is read from what was asked to where its branch is, and accepted by keys', async ({
    openApp,
    scene,
  }) => {
    const { page, misdeeds } = await openApp()
    const mission = await review(page, scene)
    await page.getByText('Make the mission search answer in 50 ms').first().waitFor()
    const actions = page.getByRole('listitem').filter({ hasText: /migration|old page/ })
    expect(await actions.allInnerTexts()).toEqual([
      expect.stringMatching(/^Run the migration before the deploy\s*blocking/),
      'Tell the people of the old page',
    ])
    await page.getByText('2 min 10 s').waitFor()
    await page.getByText('No npm here.').waitFor()
    await page.getByText('The run left changes that are in no commit.').waitFor()
    await page.getByText('(preview.example)').waitFor()
    await page.getByText('svc/faster-search').waitFor()
    await page.keyboard.press('A')
    const dialog = page.getByRole('dialog', { name: `Accept ${mission.displayId}` })
    // what a repository without a remote can do, too
    await dialog
      .getByText(`npm run -s svc -- review ${mission.displayId} --merge`, { exact: true })
      .waitFor()
    await dialog.getByText('merges nothing').waitFor()
    await dialog.getByRole('button', { name: 'Accept' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect((await scene.world.alice.mission(mission)).phase).toBe('complete')
    await page.getByText('It is accepted and closed.').waitFor()
    // whether it is merged nobody knows here
    await page
      .getByText(`npm run -s svc -- review ${mission.displayId} --merge`, { exact: true })
      .waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Accept' }).count()).toBe(0)
    await page.getByRole('link', { name: 'See the mission' }).click()
    await page.getByRole('heading', { name: 'Objectives' }).waitFor()
    expect(misdeeds).toEqual([])
  })

  test('becomes the next objective with the notes on its lines, which survive a reload', async ({
    openApp,
    scene,
  }) => {
    const { page, misdeeds } = await openApp()
    const mission = await review(page, scene, `?f=${search}`)
    await note(page, `${search}:42`, 'Bound this by 500, too.')
    await note(page, `${search}:42 (removed)`, 'Say why this goes.\nIn the commit.')
    await page.getByText('2 notes', { exact: true }).waitFor()
    await page.reload()
    await page.getByText('Bound this by 500, too.').waitFor()
    await page.getByRole('heading', { name: 'Files' }).waitFor()
    await page.keyboard.press('R')
    const dialog = page.getByRole('dialog', { name: 'Ask for changes' })
    const field = dialog.getByLabel('What is to be different')
    const made = await field.inputValue()
    expect(made.split('\n').toSorted()).toEqual(
      [
        `${search}:42: Bound this by 500, too.`,
        `${search}:42 (removed): Say why this goes.`,
        '  In the commit.',
      ].toSorted(),
    )
    await field.fill(`${made}\nAnd thank you.`)
    await dialog.getByLabel('Launch it at once').check()
    await dialog.getByRole('button', { name: 'Add and launch' }).click()
    await dialog.waitFor({ state: 'detached' })
    const { objectives } = await scene.world.alice.mission(mission)
    expect(objectives.at(-1)).toMatchObject({
      instruction: `${made}\nAnd thank you.`,
      state: 'launching',
      assigned_agent: 'scripted',
    })
    await page.getByText('is launching: what it delivers comes here.').waitFor()
    expect(await page.getByRole('button', { name: 'Accept' }).count()).toBe(0)
    await page.reload()
    await expectLive(page)
    await page.getByRole('heading', { name: 'Files' }).waitFor()
    expect(await page.getByText('2 notes', { exact: true }).count()).toBe(0)
    expect(await page.evaluate('Object.values(localStorage).join()')).not.toContain('Bound this')
    expect(misdeeds).toEqual([])
  })

  test('says of changes that were asked for alone that they are to be launched, and leads there', async ({
    openApp,
    scene,
  }) => {
    const { page, misdeeds } = await openApp()
    const mission = await review(page, scene)
    await page.keyboard.press('R')
    const dialog = page.getByRole('dialog', { name: 'Ask for changes' })
    await dialog.getByLabel('What is to be different').fill('Bound it.')
    await page.keyboard.press('Control+Enter')
    await dialog.waitFor({ state: 'detached' })
    const { objectives } = await scene.world.alice.mission(mission)
    const displayId = objectives.at(-1)?.displayId ?? ''
    const decision = page.getByRole('group', { name: 'Decision' })
    await decision.getByText(`${displayId} is still to be done.`).waitFor()
    await decision.getByRole('link', { name: 'Launch it' }).click()
    await page.getByRole('dialog', { name: `Launch ${displayId}` }).waitFor()
    expect(misdeeds).toEqual([])
  })

  test('is walked through by keys, file by file and line by line', async ({ openApp, scene }) => {
    const { page, misdeeds } = await openApp()
    await review(page, scene)
    const open = () => page.getByRole('region', { name: /^File / }).getAttribute('aria-label')
    await page.getByText('newestMissions(db').waitFor()
    await page.keyboard.press('n')
    await expect.poll(open).toBe(`File ${search}`)
    await page.keyboard.press('n')
    await expect.poll(open).toBe('File src/missions/words.ts')
    await page.keyboard.press('p')
    await expect.poll(open).toBe(`File ${search}`)
    for (const _line of [1, 2, 3, 4]) await page.keyboard.press('j')
    await page.keyboard.press('c')
    await page.getByLabel(`Note on ${search}:42 (removed)`).fill('Is it used elsewhere?')
    await page.keyboard.press('Escape')
    await page.getByText('1 note', { exact: true }).waitFor()
    await page.keyboard.press('v')
    await expect.poll(open).toBe('File src/missions/words.ts')
    await page.getByText('1 of 5 viewed').waitFor()
    expect(new URL(page.url()).searchParams.get('f')).toBe('src/missions/words.ts')
    expect(misdeeds).toEqual([])
  })

  test('shows what an agent writes as it is, and runs none of it', async ({ openApp, scene }) => {
    const { page, misdeeds } = await openApp()
    await review(page, scene, '?f=src/missions/words.ts')
    await page.getByText('⟨U+202E⟩evil⟨U+202C⟩ <img src=x onerror=alert(1)>').waitFor()
    expect(await page.locator('img').count()).toBe(0)
    expect(misdeeds).toEqual([])
  })

  test('of thousands of lines has those in its document that are looked at', async ({
    openApp,
    scene,
  }) => {
    const { page, misdeeds } = await openApp()
    await review(page, scene, `?f=${longFile}`)
    await page.getByText('word0: 0,').waitFor()
    const lines = page.getByRole('button', { name: `note on ${longFile}` })
    expect(await lines.count()).toBeLessThanOrEqual(2_000)
    await page.keyboard.press('k')
    await page.getByText('word2999: 2999,').waitFor()
    expect(await lines.count()).toBeLessThanOrEqual(2_000)
    expect(misdeeds).toEqual([])
  })

  test('is read, noted on and accepted on a phone in eight taps', async ({ openApp, scene }) => {
    const { page, misdeeds } = await openApp()
    await page.setViewportSize({ width: 360, height: 740 })
    const mission = await review(page, scene)
    let taps = 0
    const tap = async (name: string | RegExp) => {
      taps += 1
      await page.getByRole('button', { name }).first().click()
    }
    await tap(/search\.ts/)
    await page.getByText('newestMissions(db').waitFor()
    await tap(endingWith(`note on ${search}:42`))
    await page.getByLabel(`Note on ${search}:42`, { exact: true }).fill('Fine.')
    await tap('Done')
    await tap('All files')
    await page
      .getByRole('button', { name: /words\.ts/ })
      .first()
      .waitFor()
    await tap('Accept')
    const dialog = page.getByRole('dialog', { name: /^Accept / })
    taps += 1
    await dialog.getByRole('button', { name: 'Accept' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect((await scene.world.alice.mission(mission)).phase).toBe('complete')
    expect(taps).toBeLessThanOrEqual(8)
    expect(misdeeds).toEqual([])
  })
})

test('of several deliveries the newest is open, and another one is opened by its address', async ({
  openApp,
  scene,
}) => {
  const { page, misdeeds } = await openApp()
  const { mission, project } = await deliveredMission(scene.world)
  const { objective } = await scene.world.alice.call('askForChanges', {
    id: mission.id,
    instruction: 'Bound this by 500, too.',
  })
  await deliverAgain(scene.world, objective, project.id)
  await openReview(page, scene, mission)
  const [newest, older] = [
    page.getByRole('button', { name: /^Bound this by 500/ }),
    page.getByRole('button', { name: /^Make the mission search/ }),
  ]
  await older.waitFor()
  expect(await newest.getAttribute('aria-expanded')).toBe('true')
  await page.getByText('Bounded now.').waitFor()
  await older.click()
  await expect.poll(() => older.getAttribute('aria-expanded')).toBe('true')
  await page.getByText('newestMissions(db').waitFor()
  const [first] = mission.objectives
  const short = first.displayId.split('.')[1] ?? ''
  expect(new URL(page.url()).searchParams.get('o')).toBe(short)
  await page.reload()
  await expect.poll(() => older.getAttribute('aria-expanded')).toBe('true')
  expect(misdeeds).toEqual([])
})

test('of an objective that was deleted its delivery is opened as any other', async ({
  openApp,
  scene,
}) => {
  const { alice } = scene.world
  const { page } = await openApp()
  const { mission, project } = await deliveredMission(scene.world)
  const { objective } = await alice.call('askForChanges', {
    id: mission.id,
    instruction: 'Bound this by 500, too.',
  })
  await deliverAgain(scene.world, objective, project.id)
  await alice.call('deleteObjectives', { objectiveIds: [mission.objectives[0].id], confirm: true })
  await openReview(page, scene, mission)
  const deleted = page.getByRole('button', { name: /^A deleted objective/ })
  expect(await deleted.getAttribute('aria-expanded')).toBe('false')
  await deleted.click()
  await expect.poll(() => deleted.getAttribute('aria-expanded')).toBe('true')
  await page.reload()
  await expect.poll(() => deleted.getAttribute('aria-expanded')).toBe('true')
})

test('of a mission that is deleted meanwhile nothing is shown as if it were there', async ({
  openApp,
  scene,
}) => {
  const { page, misdeeds } = await openApp()
  const mission = await review(page, scene)
  await page.getByRole('button', { name: 'Accept' }).waitFor()
  await scene.world.alice.call('deleteMissions', { missionIds: [mission.id], confirm: true })
  await page.getByText('This is not here, or not yours.').waitFor()
  await page.getByRole('heading', { name: 'Review', exact: true }).waitFor()
  expect(await page.getByRole('button', { name: 'Accept' }).count()).toBe(0)
  expect(await page.getByText(mission.title).count()).toBe(0)
  expect(misdeeds).toEqual([])
})

test('whoever may only read is offered neither decision, and no note that nobody would be sent', async ({
  windowOf,
  scene,
}) => {
  const { mission } = await deliveredMission(scene.world)
  const { page } = await windowOf(scene.world.vera)
  await openReview(page, scene, mission)
  await page.getByText('newestMissions(db').waitFor()
  for (const name of ['Accept', 'Ask for changes']) {
    expect(await page.getByRole('button', { name }).count()).toBe(0)
  }
  expect(await page.getByRole('button', { name: /note/i }).count()).toBe(0)
  await page.keyboard.press('j')
  await page.keyboard.press('c')
  expect(await page.getByLabel(/^Note on /).count()).toBe(0)
})

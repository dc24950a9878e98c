import type { World } from '@svc/domain/testing/open-world'
import type { BrowserContext, Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { hostileTexts } from './hostile-texts.ts'
import { allowNotes, notesOf, openNotified, untilNews, watchNotes } from './open-notified.ts'
import { expectLive, test } from './scene.ts'

const clickNote = (page: Page, at: number) => page.evaluate(`notes[${at}].click()`)

/** A mission whose agent asks. */
async function asking(world: World, question: string) {
  const made = await world.missionWith(['Theme switch'])
  const { agent } = await world.attachedRun(made.mission.objectives[0])
  const { questionId } = await agent.ask({ question })
  return { ...made, agent, questionId, objective: made.mission.objectives[0] }
}

async function openTab(context: BrowserContext, path: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`/w/here${path}`)
  await expectLive(page)
  return page
}

test('a delivery notifies, and a click on it leads there', async ({ openApp, scene }) => {
  const { world } = scene
  const { page } = await openApp()
  await openNotified(page)
  const { mission } = await world.missionWith(['Theme switch'], { title: 'Themes' })
  const { agent } = await world.attachedRun(mission.objectives[0])
  await agent.deliver()
  await expect
    .poll(() => notesOf(page))
    .toMatchObject([
      {
        title: `${mission.displayId} is delivered`,
        body: 'Themes · It was delivered.',
        isOpen: true,
      },
    ])
  await clickNote(page, 1)
  await page.waitForURL(`/w/here/m/${mission.displayId}/review`)
  expect(await notesOf(page)).toMatchObject([{ isOpen: false }])
  // the same delivery is no news for a page that is loaded anew
  await page.goto('/w/here/projects')
  await expectLive(page)
  const second = await asking(world, 'Another one?')
  await expect
    .poll(async () => (await notesOf(page)).map(({ title }) => title))
    .toEqual([`${second.objective.displayId} asks`])
})

test('whoever looks at what shows it is not notified, wherever in the browser that is', async ({
  openApp,
  scene,
}) => {
  const { world } = scene
  const { page } = await openApp()
  const context = page.context()
  await openNotified(page)
  const { mission } = await world.missionWith(['Seen'])
  const { agent } = await world.attachedRun(mission.objectives[0])
  const looking = await openTab(context, `/m/${mission.displayId}`)
  // the chunk that says so comes once the page is there
  await expect
    .poll(() =>
      page.evaluate(
        `navigator.locks.query().then(({ held }) => held.map(({ name }) => name).join())`,
      ),
    )
    .toContain(`/m/${mission.displayId}`)
  await agent.ask({ question: 'Do you see me?' })
  await looking.getByText('Do you see me?').waitFor()
  const other = await asking(world, 'And me?')
  await expect
    .poll(async () => (await notesOf(page, looking)).map(({ title }) => title))
    .toEqual([`${other.objective.displayId} asks`])
})

test('the tab that comes next notifies where the one that did is closed, of nothing twice', async ({
  openApp,
  scene,
}) => {
  const { world } = scene
  const { page } = await openApp()
  const context = page.context()
  await openNotified(page)
  const first = await asking(world, 'The first?')
  await expect
    .poll(() => notesOf(page))
    .toMatchObject([{ title: `${first.objective.displayId} asks` }])
  const next = await openTab(context, '/projects')
  await page.close()
  const second = await asking(world, 'The second?')
  await expect
    .poll(async () => (await notesOf(next)).map(({ title }) => title))
    .toEqual([`${second.objective.displayId} asks`])
})

test('what was shown goes with the sign-in', async ({ windowOf, scene }) => {
  const { world, baseUrl } = scene
  const person = await world.person('member')
  const { page } = await windowOf(person)
  await openNotified(page)
  const { project, mission } = await world.missionWith(['Theme switch'])
  await person.launch(mission.objectives[0])
  const runner = await world.connectedRunner(project)
  const lease = await runner.take()
  await runner.launching(lease)
  await runner.launched(lease)
  const agent = runner.agent(lease)
  await agent.attach()
  await agent.ask({ question: 'Are you there?' })
  await expect.poll(() => notesOf(page)).toMatchObject([{ isOpen: true }])
  await page.request.delete('/api/me/sessions', { headers: { origin: baseUrl } })
  await expect.poll(() => notesOf(page)).toMatchObject([{ isOpen: false }])
})

test('what was turned off notifies nobody, in no tab, and is not caught up on', async ({
  openApp,
  scene,
}) => {
  const { world } = scene
  const { page } = await openApp()
  const context = page.context()
  await openNotified(page)
  const before = await asking(world, 'While it is on?')
  await expect.poll(() => notesOf(page)).toMatchObject([{ isOpen: true }])
  const other = await openTab(context, '/projects')
  await other.getByRole('button', { name: /^You, / }).click()
  await other.getByRole('menuitem', { name: 'Notifications' }).click()
  await other.getByRole('button', { name: 'Turn off' }).click()
  await other.getByText('They are off.').waitFor()
  await expect.poll(() => notesOf(page)).toMatchObject([{ isOpen: false }])
  const meanwhile = await asking(world, 'While it is off?')
  await expect.poll(() => other.title()).toMatch(/^\(\d+\) /)
  await other.getByRole('button', { name: 'Turn on' }).click()
  await other.getByText('They are on.').waitFor()
  await untilNews(other)
  const after = await asking(world, 'Again?')
  const titles = async () => (await notesOf(page, other)).map(({ title }) => title)
  await expect
    .poll(titles)
    .toEqual([before, after].map(({ objective }) => `${objective.displayId} asks`))
  expect(await titles()).not.toContain(`${meanwhile.objective.displayId} asks`)
})

test('many that come together have one notification, which leads to all of them', async ({
  openApp,
  scene,
}) => {
  const { world } = scene
  const { page } = await openApp()
  await openNotified(page)
  // what came while no page was open
  await page.goto('about:blank')
  const made = []
  for (let number = 0; number < 4; number += 1) made.push(await asking(world, `Number ${number}?`))
  await page.goto('/w/here/projects')
  await expect
    .poll(() => notesOf(page))
    .toMatchObject([{ title: '4 questions and deliveries of yours' }])
  for (const { questionId } of made.slice(1)) await world.bob.answer(questionId, 'Yes.')
  await page.getByRole('link', { name: /^Needs you/ }).waitFor()
  expect(await notesOf(page)).toMatchObject([{ isOpen: true }])
  await world.bob.answer(made[0]?.questionId ?? '', 'Yes.')
  await expect.poll(() => notesOf(page)).toMatchObject([{ isOpen: false }])
})

test('on a wall a click opens a page of its own, and the wall stays', async ({
  openApp,
  scene,
}) => {
  const { world } = scene
  const { page } = await openApp()
  const context = page.context()
  await openNotified(page)
  const { project: elsewhere } = await world.missionWith([])
  await page.goto(`/w/here/wall?p=${elsewhere.slug}`)
  await expectLive(page)
  const { objective } = await asking(world, 'On the wall?')
  await expect.poll(async () => (await notesOf(page)).length).toBe(1)
  const opened = context.waitForEvent('page')
  await clickNote(page, 0)
  const other = await opened
  await other.waitForURL(`/w/here/o/${objective.displayId}**`)
  expect(new URL(page.url()).pathname).toBe('/w/here/wall')
})

describe('a browser that shows none says so, with the way out:', () => {
  const openSetting = async (page: Page) => {
    await page.goto('/w/here/projects')
    await expectLive(page)
    await page.getByRole('button', { name: /^You, / }).click()
    await page.getByRole('menuitem', { name: 'Notifications' }).click()
    const dialog = page.getByRole('dialog', { name: 'Notifications' })
    await dialog.waitFor()
    return dialog
  }

  test('it has none', async ({ openApp }) => {
    const { page, misdeeds } = await openApp()
    await page.addInitScript('delete window.Notification')
    const dialog = await openSetting(page)
    await dialog.getByText('This browser shows no notifications of pages.').waitFor()
    expect(await dialog.getByRole('button', { name: /^Turn on/ }).count()).toBe(0)
    expect(misdeeds).toEqual([])
  })

  test('it was told to show none, and is told otherwise later', async ({ openApp }) => {
    const { page } = await openApp()
    await watchNotes(page.context(), 'denied')
    const dialog = await openSetting(page)
    await dialog.getByText('This browser was told to show no notifications').waitFor()
    expect(await dialog.getByRole('button', { name: /^Turn on/ }).count()).toBe(0)
    await allowNotes(page)
    await dialog.getByRole('button', { name: 'Turn on' }).waitFor()
    expect(await page.evaluate('timesAsked')).toBe(0)
  })

  test('it takes none of a page', async ({ openApp }) => {
    const { page, misdeeds } = await openApp()
    await watchNotes(page.context(), 'granted')
    // as browsers of phones do
    await page.addInitScript(`window.Notification = class extends Notification {
      constructor() { throw new TypeError('Illegal constructor') }
    }`)
    const dialog = await openSetting(page)
    await dialog.getByRole('button', { name: 'Turn on' }).click()
    await dialog.getByText('notifications of installed apps alone').waitFor()
    expect(await dialog.getByText('They are on.').count()).toBe(0)
    expect(misdeeds).toEqual([])
  })
})

test('what somebody hostile asks is a short text there, too', async ({ openApp, scene }) => {
  const { world } = scene
  const { page, misdeeds } = await openApp()
  await openNotified(page)
  await asking(world, `\u202Etxt.exe ${hostileTexts.join('\n').slice(0, 9_000)}`)
  await expect.poll(async () => (await notesOf(page)).length).toBe(1)
  const [note] = await notesOf(page)
  expect(note?.body).toContain('⟨U+202E⟩txt.exe <script>alert(1)</script>')
  expect(note?.body).not.toMatch(/[\n\u202E]/)
  expect(note?.body.length).toBeLessThanOrEqual(200)
  expect(misdeeds).toEqual([])
})

test('whoever may only look may be notified of what is theirs, which is nothing', async ({
  windowOf,
  scene,
}) => {
  const { world } = scene
  const { page } = await windowOf(world.vera)
  await openNotified(page)
  await asking(world, 'Of alice?')
  await page.goto('/w/here?whose=all')
  await page.getByText('Of alice?').waitFor()
  expect(await notesOf(page)).toEqual([])
})

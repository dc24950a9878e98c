import { serveApi } from '@svc/api/testing/serve-api'
import { openWorld } from '@svc/domain/testing/open-world'
import { freePort } from '@svc/testing/free-port'
import { highLimits } from '@svc/testing/high-limits'
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { type PageScene, password, signInCookies, signedInWindow } from '../pages/scene.ts'
import { builtWebApp } from './built.ts'
import { objectiveRow, openMission } from './open-mission.ts'
import { openQueues } from './open-queues.ts'
import { queuedWork } from './queues-scene.ts'
import { expectLive, slugOf, test } from './scene.ts'

const typed = 'Half of a sent'

async function typeProject(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New project' }).click()
  await page.getByLabel('Name').fill(typed)
}

async function readTyped(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'New project' }).click()
  return page.getByLabel('Name').inputValue()
}

describe('what somebody has typed', () => {
  test('is there after a reload', async ({ openApp }) => {
    const { page } = await openApp()
    await page.goto('/w/here/projects')
    await typeProject(page)
    await page.reload()
    expect(await readTyped(page)).toBe(typed)
  })

  test('is there when they sign in again after their sign-in has ended', async ({
    openApp,
    scene,
  }) => {
    await scene.usePassword()
    const { page, misdeeds } = await openApp()
    await page.goto('/w/here/projects')
    await expectLive(page)
    await typeProject(page)
    await endAllSignIns(page, scene.baseUrl)
    await signInAgain(page, scene)
    expect(await readTyped(page)).toBe(typed)
    expect(misdeeds).toEqual([])
  })

  test('presses nothing where the sign-in ends in the middle of a sentence', async ({
    openApp,
    scene,
  }) => {
    const { page } = await openApp()
    await page.goto('/w/here/projects')
    await expectLive(page)
    await typeProject(page)
    await endAllSignIns(page, scene.baseUrl)
    const told = page.getByRole('dialog', { name: 'You are signed out' })
    await told.waitFor()
    await page.keyboard.press('Space')
    expect(await told.isVisible()).toBe(true)
    await page.keyboard.press('Escape')
    const form = page.getByRole('dialog', { name: 'New project' })
    await form.getByRole('button', { name: 'Create' }).click()
    await form.getByText('You are signed out.').waitFor()
    await form.getByRole('link', { name: 'Sign in' }).click()
    await page.waitForURL('/signin?next=%2Fw%2Fhere%2Fprojects')
  })

  test('is named and discarded by a sign-out', async ({ openApp, scene }) => {
    await scene.usePassword()
    const { page } = await openApp()
    await page.goto('/w/here/projects')
    await typeProject(page)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: /^You, / }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByText('One text that you have typed is not sent yet').waitFor()
    await page.getByRole('button', { name: 'Discard and sign out' }).click()
    await page.waitForURL('/signin')
    expect(await page.evaluate('Object.values(localStorage).join()')).not.toContain(typed)
    await page.goto('/')
    await page.waitForURL('/signin?next=%2F')
  })

  test('is said in other tabs to be discarded by a sign-out, and is not kept by them again', async ({
    openApp,
    scene,
  }) => {
    const { mission } = await scene.world.missionWith(['Write the docs'])
    const { page: one } = await openApp()
    await one.goto('/w/here/projects')
    await expectLive(one)
    const other = await one.context().newPage()
    await openMission(other, scene, mission.displayId)
    await objectiveRow(other, 'Write the docs', 'draft').click()
    await other.getByRole('button', { name: 'Edit', exact: true }).click()
    const field = other.getByLabel('Instruction')
    await field.fill(typed)
    const kept = () => one.evaluate<string>('Object.values(localStorage).join()')
    await expect.poll(kept).toContain(typed)
    await one.getByRole('button', { name: /^You, / }).click()
    await one.getByRole('menuitem', { name: 'Sign out' }).click()
    await one.getByRole('button', { name: 'Discard and sign out' }).click()
    await one.waitForURL('/signin')
    const told = other.getByRole('dialog', { name: 'You are signed out' })
    await told.getByText('what you had typed was discarded').waitFor()
    await other.keyboard.press('Escape')
    expect(await field.inputValue()).toBe(typed)
    await field.fill(`${typed}ence`)
    await field.press('Control+Enter')
    await other.getByText('You are signed out.', { exact: true }).first().waitFor()
    // whatever waits to be kept is kept when the page is left
    await other.goto('/signin')
    expect(await kept()).not.toContain(typed)
  })

  test('is sent once, however often it has to be sent', async ({ openApp, scene }) => {
    const { page } = await openApp()
    await page.goto('/w/here/projects')
    await expectLive(page)
    const name = 'Sent again'
    await page.getByRole('button', { name: 'New project' }).click()
    await page.getByLabel('Name').fill(name)
    const losing = await loseAnswers(page)
    await page.getByRole('button', { name: 'Create' }).click()
    const again = page.getByRole('button', { name: 'Send again' })
    await again.waitFor()
    expect(losing.count()).toBeGreaterThan(1)
    await losing[Symbol.asyncDispose]()
    await again.click()
    await page.getByRole('dialog', { name: 'New project' }).waitFor({ state: 'detached' })
    const { projects } = await scene.world.alice.call('listProjects', {})
    expect(projects.filter((one) => one.name === name)).toHaveLength(1)
  })

  test('is sent once with what was chosen next to it, also after a reload', async ({
    openApp,
    scene,
  }) => {
    const { project } = await scene.world.missionWith([])
    const { page } = await openApp()
    await page.goto(`/w/${await slugOf(scene)}/p/${project.slug}`)
    await expectLive(page)
    const title = 'Sent again as high'
    const dialog = page.getByRole('dialog', { name: 'New mission' })
    await page.getByRole('button', { name: 'New mission' }).click()
    await dialog.getByLabel('Title').fill(title)
    await dialog.getByLabel('Priority').selectOption('high')
    const losing = await loseAnswers(page, '**/api/missions')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('button', { name: 'Send again' }).waitFor()
    await losing[Symbol.asyncDispose]()
    await page.reload()
    await expectLive(page)
    await page.getByRole('button', { name: 'New mission' }).click()
    expect(await dialog.getByLabel('Priority').inputValue()).toBe('high')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.waitFor({ state: 'detached' })
    const { missions } = await scene.world.alice.call('listMissions', { projectId: project.id })
    expect(missions.filter((one) => one.title === title)).toMatchObject([{ priority: 'high' }])
  })
})

describe('what was sent and got no answer', () => {
  test('is asked about before it is sent in another sign-in, since it may have been done', async ({
    openApp,
    scene,
  }) => {
    await scene.usePassword()
    const { page } = await openApp()
    await page.goto('/w/here/projects')
    await expectLive(page)
    const name = 'Done or not'
    const keys: unknown[] = []
    page.on('request', (request) => {
      if (request.method() !== 'POST' || !request.url().endsWith('/api/projects')) return
      keys.push(request.headers()['idempotency-key'])
    })
    await page.getByRole('button', { name: 'New project' }).click()
    await page.getByLabel('Name').fill(name)
    const losing = await loseAnswers(page)
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('button', { name: 'Send again' }).waitFor()
    await losing[Symbol.asyncDispose]()
    await endAllSignIns(page, scene.baseUrl)
    await signInAgain(page, scene)
    await page.getByRole('button', { name: 'New project' }).click()
    expect(await page.getByLabel('Name').inputValue()).toBe(name)
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('dialog').getByText('so it may have been done').waitFor()
    await page.getByRole('list', { name: 'Projects' }).getByText(name).waitFor()
    const made = async () => {
      const { projects } = await scene.world.alice.call('listProjects', {})
      return projects.filter((one) => one.name === name).length
    }
    expect(await made()).toBe(1)
    expect(new Set(keys).size).toBe(1)
    // who wants it all the same has it judged anew
    await page.getByRole('button', { name: 'Send again' }).click()
    await expect.poll(() => new Set(keys).size).toBe(2)
  })

  test('is asked about as well where the sign-in has ended between two tries', async ({
    openApp,
    scene,
  }) => {
    await scene.usePassword()
    const { page } = await openApp()
    await page.goto('/w/here/projects')
    await expectLive(page)
    const name = 'Done before it ended'
    await page.getByRole('button', { name: 'New project' }).click()
    await page.getByLabel('Name').fill(name)
    let tries = 0
    await page.route('**/api/projects', async (route) => {
      if (route.request().method() !== 'POST' || tries > 0) return route.fallback()
      tries += 1
      await route.fetch()
      await lapseAllSignIns(scene)
      return route.abort()
    })
    await page.getByRole('button', { name: 'Create' }).click()
    await signInAgain(page, scene)
    await page.getByRole('button', { name: 'New project' }).click()
    expect(await page.getByLabel('Name').inputValue()).toBe(name)
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('dialog').getByText('so it may have been done').waitFor()
    const { projects } = await scene.world.alice.call('listProjects', {})
    expect(projects.filter((one) => one.name === name)).toHaveLength(1)
  })

  test('is sent again as it was, and leaves what was written since', async ({ openApp, scene }) => {
    const { page } = await openApp()
    await page.goto('/w/here/projects')
    await expectLive(page)
    await page.getByRole('button', { name: 'New project' }).click()
    await page.getByLabel('Name').fill('As it was sent')
    const losing = await loseAnswers(page)
    await page.getByRole('button', { name: 'Create' }).click()
    const again = page.getByRole('button', { name: 'Send again' })
    await again.waitFor()
    await losing[Symbol.asyncDispose]()
    await page.getByLabel('Name').fill('Written since')
    await again.click()
    await page.getByRole('dialog', { name: 'New project' }).waitFor({ state: 'detached' })
    const { projects } = await scene.world.alice.call('listProjects', {})
    expect(projects.filter((one) => one.name === 'As it was sent')).toHaveLength(1)
    expect(await readTyped(page)).toBe('Written since')
  })

  test('and has been done is told of before another text is sent, also where it was emptied first', async ({
    openApp,
    scene,
  }) => {
    const { page } = await openApp()
    await page.goto('/w/here/projects')
    await expectLive(page)
    const dialog = page.getByRole('dialog', { name: 'New project' })
    const create = dialog.getByRole('button', { name: 'Create' })
    await page.getByRole('button', { name: 'New project' }).click()
    await page.getByLabel('Name').fill('The frist')
    const losing = await loseAnswers(page)
    await create.click()
    await page.getByRole('button', { name: 'Send again' }).waitFor()
    await losing[Symbol.asyncDispose]()
    await page.getByLabel('Name').fill('')
    await page.reload()
    await expectLive(page)
    await page.getByRole('button', { name: 'New project' }).click()
    await page.getByLabel('Name').fill('The first')
    await create.click()
    await dialog.getByText('has been done, although its answer was lost').waitFor()
    const named = async () => {
      const { projects } = await scene.world.alice.call('listProjects', {})
      return projects.map(({ name }) => name).filter((name) => /^The (frist|first)/.test(name))
    }
    expect(await named()).toEqual(['The frist'])
    // whoever wants two has two, as they stand there
    await page.getByLabel('Name').fill('The first one')
    await create.click()
    await dialog.waitFor({ state: 'detached' })
    expect((await named()).toSorted()).toEqual(['The first one', 'The frist'])
  })

  test('and has not been done leaves nothing to ask about when another text is sent', async ({
    openApp,
    scene,
  }) => {
    const { page } = await openApp()
    await page.goto('/w/here/projects')
    await expectLive(page)
    await page.getByRole('button', { name: 'New project' }).click()
    await page.getByLabel('Name').fill('Never arrived')
    await page.route('**/api/projects', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.fallback(),
    )
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('button', { name: 'Send again' }).waitFor()
    await page.unroute('**/api/projects')
    await page.getByLabel('Name').fill('Arrived at once')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('dialog', { name: 'New project' }).waitFor({ state: 'detached' })
    const { projects } = await scene.world.alice.call('listProjects', {})
    const named = projects.map(({ name }) => name).filter((name) => name.includes('rrived'))
    expect(named).toEqual(['Arrived at once'])
  })

  test('is not asked about where the sign-in had ended before it was sent', async ({
    openApp,
    scene,
  }) => {
    await scene.usePassword()
    const { page } = await openApp()
    await page.goto('/w/here/projects')
    await expectLive(page)
    await page.getByRole('button', { name: 'New project' }).click()
    await page.getByLabel('Name').fill('In mid-sentence')
    await lapseAllSignIns(scene)
    await page.getByRole('button', { name: 'Create' }).click()
    await signInAgain(page, scene)
    await page.getByRole('button', { name: 'New project' }).click()
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('list', { name: 'Projects' }).getByText('In mid-sentence').waitFor()
    expect(await page.getByRole('button', { name: 'Send again' }).count()).toBe(0)
  })
})

test('whoever else signs in at the same browser is shown nothing that was typed before', async ({
  openApp,
  scene,
}) => {
  const { page } = await openApp()
  await page.goto('/w/here/projects')
  await expectLive(page)
  await typeProject(page)
  const { userId } = await scene.world.bob.actor()
  const cookies = await signInCookies(scene.world, { userId, baseUrl: scene.baseUrl })
  await endAllSignIns(page, scene.baseUrl)
  await page.context().addCookies(cookies)
  await page.getByRole('button', { name: 'You, bob' }).waitFor()
  expect(await readTyped(page)).toBe('')
})

test('without a network the page keeps what it shows and what is typed, and sends it once there is one', async ({
  openApp,
  scene,
}) => {
  await scene.world.alice.call('createProject', { name: 'Known before' })
  const { page, misdeeds } = await openApp()
  await page.goto('/w/here/projects')
  await expectLive(page)
  await page.getByRole('list', { name: 'Projects' }).getByText('Known before').waitFor()
  await page.context().setOffline(true)
  await page.getByText('The service is not reached. This is as of').waitFor()
  await page.getByRole('list', { name: 'Projects' }).getByText('Known before').waitFor()
  await page.getByRole('button', { name: 'New project' }).click()
  await page.getByLabel('Name').fill('Typed without a network')
  await page.getByRole('button', { name: 'Create' }).click()
  const again = page.getByRole('button', { name: 'Send again' })
  await again.waitFor()
  await page.context().setOffline(false)
  await again.click()
  await page.getByRole('list', { name: 'Projects' }).getByText('Typed without a network').waitFor()
  expect(misdeeds).toEqual([])
})

test('what could not be read is read by itself as soon as the service answers', async ({
  openApp,
  scene,
}) => {
  await scene.world.alice.call('createProject', { name: 'Read in time' })
  const { page } = await openApp()
  await page.goto('/w/here/projects')
  await expectLive(page)
  // a list that is still being read would have the next project in it
  await page.getByRole('list', { name: 'Projects' }).getByText('Read in time').waitFor()
  let isAway = true
  await page.route('**/api/projects', (route) => (isAway ? route.abort() : route.fallback()))
  // told by the feed, and not to be read
  await scene.world.alice.call('createProject', { name: 'Read too late' })
  await page.getByRole('status').getByText('offline').waitFor()
  isAway = false
  await page.getByRole('list', { name: 'Projects' }).getByText('Read too late').waitFor()
  await expectLive(page)
})

test('what changed before the feed began is shown, though the page was read before that', async ({
  openApp,
  scene,
}) => {
  await scene.world.alice.call('createProject', { name: 'Read at once' })
  const { page } = await openApp()
  const late = Promise.withResolvers<void>()
  await page.route('**/api/feed', async (route) => {
    await late.promise
    await route.continue()
  })
  await page.goto('/w/here/projects')
  const list = page.getByRole('list', { name: 'Projects' })
  await list.getByText('Read at once').waitFor()
  await scene.world.alice.call('createProject', { name: 'Made before the feed' })
  late.resolve()
  await expectLive(page)
  await list.getByText('Made before the feed').waitFor()
})

test.for(['Pause', 'Send again'])(
  'what got no answer is done anew by %s once its contrary was done',
  async (button, { openApp, scene }) => {
    const { world } = scene
    const { project, queueId } = await queuedWork(world, ['Old export'])
    const { page } = await openApp()
    await openQueues(page, scene, project)
    const losing = await loseAnswers(page, `**/api/run-queues/${queueId}/pause`)
    const pause = page.getByRole('button', { name: 'Pause', exact: true })
    await pause.click()
    await page.getByRole('button', { name: 'Send again' }).waitFor()
    await losing[Symbol.asyncDispose]()
    await page.getByRole('button', { name: 'End the pause' }).click()
    await pause.waitFor()
    await page.getByRole('button', { name: button, exact: true }).click()
    await page.getByRole('button', { name: 'End the pause' }).waitFor()
    const { queues } = await world.alice.call('listRunQueues', { id: project.id })
    expect(queues.map(({ state }) => state)).toEqual(['paused'])
  },
)

/** Carried out, and the answer is lost. */
async function loseAnswers(
  page: Page,
  path = '**/api/projects',
): Promise<AsyncDisposable & { count: () => number }> {
  let lost = 0
  await page.route(path, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    await route.fetch()
    lost += 1
    return route.abort()
  })
  return {
    count: () => lost,
    [Symbol.asyncDispose]: () => page.unroute(path),
  }
}

async function signInAgain(page: Page, scene: PageScene): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'You are signed out' })
  await dialog.getByRole('link', { name: 'Sign in' }).click()
  await page.getByLabel('E-mail address').fill(scene.email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(`/w/${await slugOf(scene)}/projects`)
  await expectLive(page)
}

/** As after a long time in which nobody was here. */
async function lapseAllSignIns({ world }: PageScene): Promise<void> {
  const { userId } = await world.alice.actor()
  await world.domain.db
    .updateTable('sign_ins')
    .set({ expires_at: new Date(0) })
    .where('user_id', '=', userId)
    .execute()
}

/** As from another browser. */
async function endAllSignIns(page: Page, origin: string): Promise<void> {
  const answer = await page.request.delete('/api/me/sessions', { headers: { origin } })
  expect(answer.status()).toBe(204)
}

describe('an open page', () => {
  test('whose version misses a file loads itself anew, once', async ({ openApp, scene }) => {
    const { page } = await openApp()
    let loads = 0
    page.on('load', () => (loads += 1))
    let missing = true
    await page.route('**/assets/page-*.js', (route) =>
      missing ? route.fulfill({ status: 404, body: '' }) : route.fallback(),
    )
    await page.goto(`/w/${await slugOf(scene)}/projects`)
    const problem = page.getByText('Something went wrong on this page')
    await problem.waitFor()
    expect(loads).toBe(2)
    missing = false
    await page.reload()
    await page.getByRole('heading', { name: 'Projects' }).waitFor()
  })

  test('outlives the service: it says so, keeps what it shows, and follows the next one', async ({
    windows,
    database,
  }) => {
    const port = String(await freePort())
    const folder = await builtWebApp()
    const serve = () =>
      serveApi(
        database.connectionString,
        { SVC_PORT: port, ...highLimits },
        { webApp: () => ({ state: 'built', folder }) },
      )
    await using world = await openWorld(database.connectionString)
    await world.alice.call('createProject', { name: 'Stays on screen' })
    await using first = await serve()
    const { userId } = await world.alice.actor()
    const browsing = { userId, baseUrl: first.baseUrl }
    const page = await windows((browser) => signedInWindow(browser, world, browsing))
    await page.goto('/w/here/projects')
    await expectLive(page)
    const list = page.getByRole('list', { name: 'Projects' })
    await list.getByText('Stays on screen').waitFor()
    // a service that ends answers still when it has ended its feeds
    const me = await page.evaluate(
      `fetch('/api/me', { headers: { 'x-svc-workspace': 'here' } }).then((answer) => answer.json())`,
    )
    let answered = 0
    await page.route('**/api/me', async (route) => {
      if (answered > 0) return route.fallback()
      answered += 1
      return route.fulfill({ json: me })
    })
    await first[Symbol.asyncDispose]()
    await page.getByRole('status').getByText('offline').waitFor()
    await page.getByText('The service is not reached. This is as of just now').waitFor()
    await list.getByText('Stays on screen').waitFor()
    await world.alice.call('createProject', { name: 'Made meanwhile' })
    await using _second = await serve()
    await expectLive(page)
    await list.getByText('Made meanwhile').waitFor()
    expect(await page.getByText('The service is not reached').count()).toBe(0)
    expect(answered).toBe(1)
  })

  test('shares one feed with the other tabs of its browser', async ({ openApp, scene }) => {
    const { page } = await openApp()
    const feeds: string[] = []
    page.context().on('request', (request) => {
      if (request.url().endsWith('/api/feed')) feeds.push(request.url())
    })
    await page.goto('/w/here/projects')
    await expectLive(page)
    const second = await page.context().newPage()
    await second.goto('/w/here/projects')
    await expectLive(second)
    await scene.world.alice.call('createProject', { name: 'Seen by both' })
    for (const tab of [page, second]) await tab.getByText('Seen by both').waitFor()
    expect(feeds).toHaveLength(1)
    await page.close()
    await scene.world.alice.call('createProject', { name: 'Seen by the one that is left' })
    await second.getByText('Seen by the one that is left').waitFor()
  })
})

import { limits } from '@svc/contracts/limits'
import type { World } from '@svc/domain/testing/open-world'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { expectLive, test } from './scene.ts'

interface Place {
  path: string
  open: (page: Page) => Promise<void>
}

const fold = (page: Page, name: string) => page.locator('summary').filter({ hasText: name }).click()
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

/** Each dialog with fields that somebody writes into. */
const dialogs: Readonly<Record<string, (world: World) => Promise<Place>>> = {
  'of a new project': async () => ({
    path: '/projects',
    open: (page) => press(page, 'New project'),
  }),
  'to the inbox': async () => ({
    path: '/projects',
    open: async (page) => {
      await page.getByRole('button', { name: 'New project' }).waitFor()
      await page.keyboard.press('i')
    },
  }),
  'of a new mission': async (world) => {
    const { project } = await world.missionWith([])
    return { path: `/p/${project.slug}`, open: (page) => press(page, 'New mission') }
  },
  'of the columns of a board': async (world) => {
    const { project } = await world.missionWith([])
    return {
      path: `/p/${project.slug}`,
      async open(page) {
        await press(page, 'More of this board')
        await page.getByRole('menuitem', { name: 'Columns …' }).click()
        await press(page, 'Rename Backlog')
      },
    }
  },
  'of a new resource': async (world) => {
    const { slug } = await world.projectWith()
    return { path: `/p/${slug}/settings`, open: (page) => press(page, 'Add a resource') }
  },
  'of an artifact': async (world) => {
    const { mission } = await world.missionWith([])
    return {
      path: `/m/${mission.displayId}`,
      async open(page) {
        await fold(page, 'Artifacts')
        await press(page, 'Artifact')
      },
    }
  },
  'of a budget': async (world) => {
    const { project, mission } = await world.missionWith([])
    await world.alice.call('updateMission', { id: mission.id, budget: { usd: '5' } })
    return {
      path: `/usage?project=${project.slug}`,
      open: (page) => press(page, `Change … budget of ${mission.displayId}`),
    }
  },
  'of the shared state': async (world) => {
    const { mission } = await world.missionWith([])
    return {
      path: `/m/${mission.displayId}`,
      async open(page) {
        await fold(page, 'Shared state')
        await press(page, 'Key')
      },
    }
  },
  'of an invitation': async () => ({
    path: '/access',
    open: (page) => press(page, 'Invite somebody'),
  }),
  'of a new token': async () => ({
    path: '/access?tab=tokens',
    open: (page) => press(page, 'New token'),
  }),
  'of the workspace': async () => ({
    path: '/access?tab=workspace',
    open: (page) => press(page, 'Edit'),
  }),
  'of a new workspace': async () => ({
    path: '/access?tab=workspace',
    open: (page) => press(page, 'New workspace'),
  }),
}

test.for(Object.keys(dialogs))(
  'what is typed into any field of the dialog %s is there after a reload',
  async (name, { openApp, scene, goTo }) => {
    const place = await dialogs[name]?.(scene.world)
    if (place === undefined) throw new Error(`no dialog ${name}`)
    const { page } = await openApp()
    await goTo(page, place.path)
    await place.open(page)
    const fields = page.getByRole('dialog').locator('input:not([type="checkbox"]), textarea')
    await fields.first().waitFor()
    const values = () =>
      fields.evaluateAll((all) => all.map((field) => ('value' in field ? field.value : undefined)))
    const before = await values()
    for (const field of await fields.all()) await field.fill('half a sentence')
    await page.reload()
    await expectLive(page)
    await place.open(page)
    await fields.first().waitFor()
    expect(await values()).toEqual(before.map(() => 'half a sentence'))
  },
)

test('a text that is too long is kept whole, is said to be, and is not sent', async ({
  openApp,
  scene,
}) => {
  const { project } = await scene.world.missionWith([])
  const { page } = await openApp()
  await page.goto(`/w/here/p/${project.slug}`)
  await expectLive(page)
  await press(page, 'New mission')
  const dialog = page.getByRole('dialog', { name: 'New mission' })
  const first = dialog.getByLabel('What is to be done first')
  await dialog.getByLabel('Title').fill('Long')
  const text = `${'a word '.repeat(15_000)}and the question at its end`
  await first.fill(text)
  const over = text.length - limits.instructionCharacters
  await dialog.getByText(`This is ${over} characters too long.`).waitFor()
  await dialog.getByRole('button', { name: 'Create' }).click()
  expect(await first.inputValue()).toBe(text)
  await first.fill(text.slice(0, limits.instructionCharacters))
  await dialog.getByText('too long').waitFor({ state: 'detached' })
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.waitFor({ state: 'detached' })
})

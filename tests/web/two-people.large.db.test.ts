import type { Person } from '@svc/domain/testing/people'
import { describe, expect } from 'vitest'
import { cardIn, openBoard } from './open-board.ts'
import { objectiveTitles, openMission } from './open-mission.ts'
import { needRow, openNeeds } from './open-needs.ts'
import { type AppWindow, test as base } from './scene.ts'

interface Window extends AppWindow {
  /** How often it was loaded since it was there. */
  loads: () => number
}

/** A browser of alice, and one of bob, each signed in as themselves. */
const test = base.extend('people', ({ windowOf, scene }) => async () => {
  const open = async (person: Person): Promise<Window> => {
    const opened = await windowOf(person)
    let loads = 0
    opened.page.on('load', () => (loads += 1))
    return { ...opened, loads: () => loads }
  }
  return { alice: await open(scene.world.alice), bob: await open(scene.world.bob) }
})

function expectOneLoad({ alice, bob }: { alice: Window; bob: Window }): void {
  expect([alice.loads(), bob.loads()]).toEqual([1, 1])
  expect([...alice.misdeeds, ...bob.misdeeds]).toEqual([])
}

describe('two people in two browsers see what the other one does, as it is done:', () => {
  test('on what needs them', async ({ people, scene }) => {
    const { world } = scene
    const { project, mission } = await world.missionWith(['First', 'Second'], {
      allowParallelObjectives: true,
    })
    const options = [{ id: 'keep', label: 'Keep it' }]
    const both = await people()
    for (const { page } of [both.alice, both.bob]) await openNeeds(page, project, '&whose=all')
    const pairs = [
      [both.alice.page, both.bob.page, 'alice'],
      [both.bob.page, both.alice.page, 'bob'],
    ] as const
    for (const [index, [mine, theirs, name]] of pairs.entries()) {
      const objective = mission.objectives[index] ?? mission.objectives[0]
      const { agent } = await world.attachedRun(objective)
      await agent.ask({ question: `${objective.title}?`, options })
      for (const page of [mine, theirs]) {
        await needRow(page, objective.displayId).getByText(`${objective.title}?`).waitFor()
      }
      await needRow(mine, objective.displayId)
        .getByRole('button', { name: /Keep it/ })
        .click()
      const row = needRow(theirs, objective.displayId)
      await row.getByText(name, { exact: true }).waitFor()
      await row.waitFor({ state: 'detached' })
      await needRow(mine, objective.displayId).waitFor({ state: 'detached' })
    }
    expectOneLoad(both)
  })

  test('on a board', async ({ people, scene }) => {
    const { project } = await scene.world.missionWith([], { title: 'Dark icons' })
    const both = await people()
    for (const { page } of [both.alice, both.bob]) await openBoard(page, scene, project)
    await cardIn(both.bob.page, 'Backlog', 'Dark icons').getByRole('link').focus()
    await both.bob.page.keyboard.press('Shift+ArrowRight')
    await cardIn(both.alice.page, 'In progress', 'Dark icons').waitFor()

    await both.alice.page.keyboard.press('c')
    await both.alice.page.getByRole('dialog').getByLabel('Title').fill('Dark menu')
    await both.alice.page.keyboard.press('Enter')
    await cardIn(both.bob.page, 'Backlog', 'Dark menu').waitFor()

    await cardIn(both.alice.page, 'In progress', 'Dark icons').getByRole('link').focus()
    await both.alice.page.keyboard.press('e')
    await both.alice.page.getByRole('dialog').getByLabel('Title').fill('Bright icons')
    await both.alice.page.keyboard.press('Enter')
    await both.bob.page.mouse.move(0, 0)
    await cardIn(both.bob.page, 'In progress', 'Bright icons').waitFor()
    expectOneLoad(both)
  })

  test('on a mission', async ({ people, scene }) => {
    const { mission } = await scene.world.missionWith(['One'], { title: 'Theme switch' })
    const both = await people()
    for (const { page } of [both.alice, both.bob]) {
      await openMission(page, scene, mission.displayId)
    }
    await both.alice.page.getByRole('button', { name: 'Edit the title' }).click()
    await both.alice.page.getByRole('textbox', { name: 'Title' }).fill('Theme chooser')
    await both.alice.page.keyboard.press('Enter')
    await both.bob.page.getByRole('heading', { name: 'Theme chooser' }).waitFor()

    await both.bob.page.keyboard.press('o')
    await both.bob.page.getByLabel('New objective').fill('Two')
    await both.bob.page.keyboard.press('Control+Enter')
    await expect.poll(() => objectiveTitles(both.alice.page)).toEqual(['One', 'Two'])
    expectOneLoad(both)
  })
})

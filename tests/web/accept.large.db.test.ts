import { describe, expect } from 'vitest'
import { deliverAgain, deliveredMission } from '../pages/delivered-mission.ts'
import { openReview } from './open-review.ts'
import { test } from './scene.ts'

describe('accepting', () => {
  test('what was delivered while the dialog stood open waits until that was shown', async ({
    openApp,
    scene,
  }) => {
    const { alice } = scene.world
    const { page, misdeeds } = await openApp()
    const { mission, project } = await deliveredMission(scene.world)
    await openReview(page, scene, mission)
    await page.keyboard.press('A')
    const dialog = page.getByRole('dialog', { name: `Accept ${mission.displayId}` })
    const accept = dialog.getByRole('button', { name: 'Accept' })
    await accept.waitFor()
    const instruction = 'Bound this by 500, too.'
    const { objective } = await alice.call('askForChanges', { id: mission.id, instruction })
    await deliverAgain(scene.world, objective, project.id)
    await dialog.getByText('Another delivery has come meanwhile.').waitFor()
    expect(await accept.count()).toBe(0)
    await dialog.getByRole('button', { name: 'Show the new delivery' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('Bounded now.').waitFor()
    expect((await alice.mission(mission)).phase).toBe('review')
    await page.keyboard.press('A')
    await accept.click()
    await dialog.waitFor({ state: 'detached' })
    expect((await alice.mission(mission)).phase).toBe('complete')
    expect(misdeeds).toEqual([])
  })

  test('waits while its mission is worked on, and names what it leaves undone', async ({
    openApp,
    scene,
  }) => {
    const { alice } = scene.world
    const { page, misdeeds } = await openApp()
    const { mission } = await deliveredMission(scene.world)
    await alice.call('addObjectives', {
      id: mission.id,
      objectives: [{ instruction: 'Write the page about it.' }],
    })
    await openReview(page, scene, mission)
    await page.keyboard.press('A')
    const dialog = page.getByRole('dialog', { name: `Accept ${mission.displayId}` })
    const accept = dialog.getByRole('button', { name: 'Accept' })
    await dialog.getByText('1 objective is not done').waitFor()
    await dialog.getByText('Write the page about it.').waitFor()
    const { objectives } = await alice.mission(mission)
    const draft = objectives.find((one) => one.instruction === 'Write the page about it.')
    await alice.launch(draft ?? mission.objectives[0])
    await dialog.getByText('is launching: nothing is accepted').waitFor()
    expect(await accept.isDisabled()).toBe(true)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('is launching: what it delivers comes here.').waitFor()
    expect(await page.getByRole('button', { name: 'Accept' }).count()).toBe(0)
    expect(misdeeds).toEqual([])
  })
})

import { expect } from 'vitest'
import { notesOf, turnOn, watchNotes } from './open-notified.ts'
import { expectLive, test } from './scene.ts'

test('a question of mine notifies once over all tabs, and its notification goes when somebody has answered', async ({
  openApp,
  scene,
}) => {
  const { world } = scene
  const { page, misdeeds } = await openApp()
  await watchNotes(page.context())
  const tabs = [page, await page.context().newPage(), await page.context().newPage()]
  for (const tab of tabs) {
    await tab.goto('/w/here/projects')
    await expectLive(tab)
  }
  await turnOn(tabs[1] ?? page)
  expect(await notesOf(...tabs)).toEqual([])

  const { project, mission } = await world.missionWith(['Theme switch', 'Tell people'], {
    allowParallelObjectives: true,
  })
  const [objective, other] = mission.objectives
  const runner = await world.connectedRunner(project)
  const { agent } = await world.attachedRun(objective, runner)
  const { questionId } = await agent.ask({ question: 'Keep **the old** name?' })
  const asked = {
    title: `${objective.displayId} asks`,
    body: 'Keep the old name?',
    tag: expect.stringContaining(questionId),
    isOpen: true,
  }
  await expect.poll(() => notesOf(...tabs)).toEqual([asked])

  // of somebody else: nothing, and the next one of mine is heard after it
  const launcher = await world.person('member')
  await launcher.launch(other)
  const lease = await runner.take()
  await runner.launching(lease)
  await runner.launched(lease)
  const theirs = runner.agent(lease)
  await theirs.attach()
  await theirs.ask({ question: 'Not yours?' })
  await world.bob.answer(questionId, 'Keep it.')
  await expect.poll(() => notesOf(...tabs)).toEqual([{ ...asked, isOpen: false }])
  await expect.poll(() => page.title()).toBe('Projects · svc')
  expect(misdeeds).toEqual([])
})

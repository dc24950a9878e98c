import { expect } from 'vitest'
import { expectLive, slugOf, test } from './scene.ts'

test('an entity in Markdown is the sign that it names, and what is none stays as it is', async ({
  openApp,
  scene,
}) => {
  const { project, mission } = await scene.world.missionWith(['Theme switch'])
  const runner = await scene.world.connectedRunner(project)
  const { agent } = await scene.world.attachedRun(mission.objectives[0], runner)
  await agent.ask({ question: 'Is **&copy;** 1 &lt; 2 &amp; &hellip; or &nothing; &lt;b&gt;?' })
  const { page, misdeeds } = await openApp()
  await page.goto(`/w/${await slugOf(scene)}`)
  await expectLive(page)
  await page.getByText('Is © 1 < 2 & … or &nothing; <b>?').first().waitFor()
  expect(misdeeds).toEqual([])
})

import { demonstration } from '@svc/contracts/demonstration'
import { expectLive, test } from './scene.ts'

test('what npm start shows of itself takes nobody the first steps of their own', async ({
  openApp,
  scene,
}) => {
  const { world } = scene
  const { alice } = world
  const { project: shown } = await alice.call('createProject', demonstration)
  const deliver = async (project: { id: string }) => {
    const { mission, objectives } = await alice.call('createMission', {
      projectId: project.id,
      title: 'Greet the world',
      objectives: [{ instruction: 'Write a greeting.' }],
    })
    const [objective] = objectives
    if (objective === undefined) throw new Error('it was made with one')
    const resourceKey = 'a'
    await alice.call('linkProjectResource', { id: project.id, resourceKey })
    const runner = await world.connectedRunner(project, {
      resources: [{ projectId: project.id, resourceKey }],
    })
    await (await world.attachedRun(objective, runner)).agent.deliver({ summary: 'Done.' })
    await alice.call('acceptMission', { id: mission.id })
  }
  await deliver(shown)

  const { page } = await openApp()
  await page.goto('/')
  await expectLive(page)
  const steps = page.getByRole('region', { name: 'First steps' })
  const next = steps.locator('[aria-current="step"]')
  await next.getByText('Make a project').waitFor()
  const { project } = await alice.call('createProject', { name: 'Zoo', slug: 'zoo' })
  await next.getByText('Link a repository').waitFor()
  await next.getByLabel('Folder of the repository there').fill('~/code/zoo')
  await next.getByText('resource link zoo ~/code/zoo').waitFor()
  await deliver(project)
  await steps.waitFor({ state: 'detached' })
})

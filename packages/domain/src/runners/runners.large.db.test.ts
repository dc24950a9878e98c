import { type World, test } from '../testing/world.ts'
import { describe, expect } from 'vitest'

const labelled = <T extends { label: string }>(runners: T[], label: string) =>
  runners.filter((one) => one.label === label)

describe('the runners of a workspace', () => {
  test('are listed with what they told last', async ({ world }) => {
    const project = await world.projectWith()
    const runner = await world.connectedRunner(project, { label: 'laptop', agents: ['claude'] })
    await runner.claim({
      agents: [{ key: 'codex', version: '2', path: '/bin/codex' }],
      runner: {
        instanceId: runner.instanceId,
        version: '1.2.3',
        capacity: { max: 2, running: 1 },
      },
    })

    for (const person of [world.bob, world.vera]) {
      const { runners } = await person.call('listRunners', {})
      expect(labelled(runners, 'laptop')).toMatchObject([
        {
          version: '1.2.3',
          state: 'connected',
          agents: ['codex'],
          capacity: { max: 2, running: 1 },
        },
      ])
    }
    expect((await world.carla.call('listRunners', {})).runners).toEqual([])
  })

  test('are one for each device and person', async ({ world }) => {
    const project = await world.projectWith()
    const hers = await world.connectedRunner(project, { label: 'shared box' })
    await hers.claim()
    const device = {
      fingerprint: hers.fingerprint,
      label: 'shared box',
      platform: 'linux',
      arch: 'x64',
    }
    const his = await world.connectedRunner(project, { owner: world.bob, label: 'shared box' })
    await his.claim({ device })
    await his.claim({ device })

    const { runners } = await world.alice.call('listRunners', {})

    // alice's on the box, bob's on the box, and the device that bob's was first heard of from
    expect(labelled(runners, 'shared box')).toHaveLength(3)
  })

  test('drop a checkout that is not reported any more', async ({ world }) => {
    const project = await world.projectWith([{ resourceKey: 'web' }, { resourceKey: 'api' }])
    const both = [
      { projectId: project.id, resourceKey: 'web' },
      { projectId: project.id, resourceKey: 'api' },
    ]
    const runner = await world.connectedRunner(project, { resources: both })
    const states = async () => {
      const { resources } = await world.alice.call('listProjectResources', { id: project.id })
      return resources.map((one) => [one.resourceKey, one.state])
    }
    expect(await states()).toEqual([
      ['web', 'connected'],
      ['api', 'connected'],
    ])

    await runner.claim({
      resources: [{ ...both[0]!, path: '/src/web', state: 'usable' }],
    })

    expect(await states()).toEqual([
      ['web', 'connected'],
      ['api', 'unavailable'],
    ])
  })
})

describe('a runner that is removed', () => {
  const idOf = async (world: World, label: string) => {
    const { runners } = await world.alice.call('listRunners', {})
    return labelled(runners, label)[0]?.id ?? ''
  }

  test('is listed no more, takes nothing, and its checkouts count no more', async ({ world }) => {
    const project = await world.projectWith([{ resourceKey: 'web' }])
    const resources = [{ projectId: project.id, resourceKey: 'web' }]
    const runner = await world.connectedRunner(project, { label: 'old', resources })
    const id = await idOf(world, 'old')
    await world.alice.call('removeRunner', { id })
    expect(await idOf(world, 'old')).toBe('')
    const left = await world.alice.call('listProjectResources', { id: project.id })
    expect(left.resources).toMatchObject([{ state: 'unavailable' }])
    await expect(runner.claim()).rejects.toMatchObject({ code: 'runner_removed' })
    await expect(world.alice.call('removeRunner', { id })).rejects.toMatchObject({
      code: 'not_found',
    })
    const { entries } = await world.alice.call('listAudit', { action: 'runner.removed' })
    expect(entries[0]).toMatchObject({ targetId: id, details: { label: 'old' } })
  })

  test('is at work on nothing', async ({ world }) => {
    const { mission, project } = await world.missionWith(['a'])
    const runner = await world.connectedRunner(project, { label: 'busy' })
    await world.attachedRun(mission.objectives[0], runner)
    const id = await idOf(world, 'busy')
    const written = await world.rowsWrittenBy(() => world.alice.call('removeRunner', { id }))
    expect(written).toMatchObject({
      rows: [],
      refusal: { code: 'runner_busy', details: { objectives: [mission.objectives[0].displayId] } },
    })
  })

  test('and its last claim at the same time: one of the two is refused', async ({ world }) => {
    for (let round = 0; round < 8; round += 1) {
      const { alice, mission, project } = await world.missionWith(['a'])
      const label = `racing ${round}`
      const runner = await world.connectedRunner(project, { label })
      const id = await idOf(world, label)
      await alice.launch(mission.objectives[0])
      const [claimed, removed] = await Promise.allSettled([
        runner.claim(),
        alice.call('removeRunner', { id }),
      ])
      if (removed.status === 'fulfilled') {
        expect(claimed).toMatchObject({ status: 'rejected', reason: { code: 'runner_removed' } })
        expect((await alice.requestsOf(mission))[0]).toMatchObject({ status: 'queued' })
      } else {
        expect(removed.reason).toMatchObject({ code: 'runner_busy' })
        expect(claimed).toMatchObject({ status: 'fulfilled', value: { request: {} } })
      }
    }
  })

  test("is a member's own, or any for an admin", async ({ world }) => {
    const project = await world.projectWith()
    await world.connectedRunner(project, { label: 'hers' })
    await world.connectedRunner(project, { label: 'his', owner: world.bob })
    const hers = await idOf(world, 'hers')
    for (const [person, code] of [
      [world.bob, 'forbidden'],
      [world.vera, 'forbidden'],
      [world.carla, 'not_found'],
    ] as const)
      await expect(person.call('removeRunner', { id: hers })).rejects.toMatchObject({ code })
    await world.bob.call('removeRunner', { id: await idOf(world, 'his') })
  })
})

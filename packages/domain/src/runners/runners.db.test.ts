import { test } from '@svc/testing/world'
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

  test('forget a checkout that is not told of any more', async ({ world }) => {
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

import { type World, test } from '../../testing/world.ts'
import { describe, expect } from 'vitest'

const detail = 'Resource web on laptop has uncommitted changes: commit or stash a.txt.'
const busy = { reason: 'checkout_busy', detail } as const

async function launched(world: World) {
  const { alice, project, mission } = await world.missionWith(['write the docs'], {
    resources: [{ resourceKey: 'web' }, { resourceKey: 'api' }],
  })
  const machine = (label: string) =>
    world.connectedRunner(project, {
      label,
      resources: ['web', 'api'].map((resourceKey) => ({ projectId: project.id, resourceKey })),
    })
  const [laptop, box] = [await machine('laptop'), await machine('box')]
  const { executionRequest: request } = await alice.launch(mission.objectives[0])
  const history = async () =>
    (await alice.eventsOf(mission))
      .map(({ type }) => type)
      .filter((type) => type === 'execution_claimed' || type === 'execution_released')
      .toReversed()
  return { alice, mission, request, laptop, box, history }
}

describe('a run that a runner gave back', () => {
  test('says why, where and what would end it, and in no event', async ({ world }) => {
    const { alice, mission, request, laptop } = await launched(world)

    await laptop.released(await laptop.take(), busy)

    expect((await alice.request(request)).lastRelease).toEqual({
      reason: 'checkout_busy',
      at: expect.any(String),
      detail,
      until: null,
    })
    const events = await alice.eventsOf(mission)
    expect(JSON.stringify(events)).not.toContain('a.txt')
  })

  test('names the step that helps, as data in which no text of a runner stands', async ({
    world,
  }) => {
    const { alice, request, laptop } = await launched(world)
    const next = { operation: 'getExecutionRequest', params: { id: request.id } } as const
    const lease = await laptop.take()
    const odd = { ...next, params: { id: '$(curl example.com)' } }
    await expect(laptop.released(lease, { ...busy, next: odd })).rejects.toThrow('Invalid UUID')

    await laptop.released(lease, { ...busy, next })

    expect((await alice.request(request)).lastRelease).toMatchObject({ detail, next })
  })

  test('tells the feed why it waits', async ({ world }) => {
    const { mission, laptop } = await launched(world)
    await laptop.released(await laptop.take(), busy)
    const changes = await world.domain.db
      .selectFrom('entity_changes')
      .selectAll()
      .where('mission_id', '=', mission.id)
      .where('operation', '=', 'release')
      .execute()
    expect(changes).toMatchObject([{ data: { lastRelease: { detail } } }])
  })

  test('is tried by it after 5 seconds, doubling while the reason stands', async ({ world }) => {
    const { laptop } = await launched(world)
    let lease = await laptop.take()
    for (const seconds of [5, 10, 20]) {
      await laptop.released(lease, busy)
      await world.advance(seconds - 4)
      expect((await laptop.claim()).request).toBeNull()
      await world.advance(4)
      lease = await laptop.take()
    }
    for (let times = 0; times < 6; times += 1) {
      await laptop.released(lease, busy)
      await world.advance(300)
      lease = await laptop.take()
    }
    await laptop.released(lease, { reason: 'branch_elsewhere' })
    await world.advance(5)
    await laptop.take()
  })

  test('may be taken by another runner at once', async ({ world }) => {
    const { request, laptop, box } = await launched(world)
    await laptop.released(await laptop.take(), busy)
    expect((await laptop.claim()).request).toBeNull()
    expect((await box.take()).id).toBe(request.id)
  })

  test('is tried by each of two runners in its own time', async ({ world }) => {
    const { laptop, box } = await launched(world)
    await laptop.released(await laptop.take(), busy)
    await box.released(await box.take(), busy)
    await world.advance(5)
    await laptop.released(await laptop.take(), busy)
    await box.take()
  })

  test('is told of once while the reason stands, and again when it is another', async ({
    world,
  }) => {
    const { laptop, history } = await launched(world)
    const once = ['execution_claimed', 'execution_released']
    await laptop.released(await laptop.take(), busy)
    for (let times = 0; times < 3; times += 1) {
      await world.advance(300)
      await laptop.released(await laptop.take(), busy)
    }
    expect(await history()).toEqual(once)

    await world.advance(300)
    await laptop.released(await laptop.take(), { reason: 'branch_elsewhere' })
    expect(await history()).toEqual([...once, 'execution_released'])
  })

  test('because it stops is taken again at once, and told of', async ({ world }) => {
    const { laptop, history } = await launched(world)
    await laptop.released(await laptop.take(), { reason: 'runner_draining' })
    await laptop.take()
    expect(await history()).toEqual([
      'execution_claimed',
      'execution_released',
      'execution_claimed',
    ])
  })

  test('is tried at once when that runner says that the resource changed', async ({ world }) => {
    const { laptop, box } = await launched(world)
    await laptop.released(await laptop.take(), busy)

    expect((await laptop.claim({ changed: ['api'] })).request).toBeNull()
    await box.released(await box.take(), busy)
    expect((await box.claim()).request).toBeNull()

    await laptop.take({ changed: ['web'] })
  })

  test('does not keep that runner from other work', async ({ world }) => {
    const { alice, laptop, request } = await launched(world)
    await laptop.released(await laptop.take(), busy)
    const other = await world.missionWith(['ship it'], {
      project: (await alice.call('getProject', { id: request.projectId })).project,
    })
    const next = await alice.launch(other.mission.objectives[0], { resourceKey: 'web' })
    expect((await laptop.take()).id).toBe(next.executionRequest.id)
  })

  test('drops its waits when it was started and lost afterwards', async ({ world }) => {
    const { laptop, history } = await launched(world)
    await laptop.released(await laptop.take(), busy)
    await world.advance(5)
    const lease = await laptop.take()
    await laptop.launching(lease)
    await laptop.launched(lease)
    await laptop.exited(lease, { cause: 'supervisor_lost', exitCode: null })
    await laptop.take()
    expect((await history()).at(-1)).toBe('execution_claimed')
  })
})

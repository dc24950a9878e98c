import { test, type World } from '../testing/world.ts'
import { describe, expect } from 'vitest'
import { tokenForObjective } from '../testing/stored.ts'

describe('the shared state of a mission', () => {
  test('is 256 KiB and 500 keys at most', async ({ world }) => {
    const { alice, mission } = await world.missionWith([])
    const { id } = mission
    const set = (key: string, value: string) =>
      alice.call('setSharedState', { id, key, value, expectedRevision: 0 })
    await set('a', 'x'.repeat(200 * 1024))
    const large = await world.rowsWrittenBy(() => set('b', 'x'.repeat(60 * 1024)))
    expect(large).toMatchObject({ rows: [], refusal: { code: 'too_large' } })
    for (let count = 1; count < 500; count += 1) await set(`k${count}`, '')
    const many = await world.rowsWrittenBy(() => set('one-more', ''))
    expect(many).toMatchObject({ rows: [], refusal: { code: 'too_large' } })
  })

  test('is set, changed and removed by key, each by who read it last', async ({ world }) => {
    const { alice, mission } = await world.missionWith([])
    const id = mission.displayId
    const set = (value: unknown, expectedRevision: number) =>
      // any JSON may be set
      alice.call('setSharedState', { id, key: 'port', value: value as never, expectedRevision })
    const { entry: first } = await set(4600, 0)
    expect(first).toMatchObject({ key: 'port', value: 4600 })
    expect(await stateOf(world, mission)).toEqual([first])
    const { entry: second } = await set({ http: [4600, null] }, first?.revision ?? -1)
    expect(second?.value).toEqual({ http: [4600, null] })
    const stale = await world.rowsWrittenBy(() => set(1, first?.revision ?? -1))
    expect(stale).toMatchObject({
      rows: [],
      refusal: { code: 'revision_mismatch', details: { currentRevision: second?.revision } },
    })
    expect(await set(null, second?.revision ?? -1)).toEqual({ entry: null })
    expect(await stateOf(world, mission)).toEqual([])
    // what is set anew is not what was removed
    const { entry: anew } = await set(4600, 0)
    expect([first?.revision, second?.revision]).not.toContain(anew?.revision)
  })

  test('set by 16 at once where there is nothing: one of them wins', async ({ world }) => {
    const { alice, mission } = await world.missionWith([])
    const set = (value: number) =>
      alice.call('setSharedState', { id: mission.id, key: 'lock', value, expectedRevision: 0 })
    const results = await Promise.allSettled(Array.from({ length: 16 }, (_, index) => set(index)))
    const won = results.flatMap((one) => (one.status === 'fulfilled' ? [one.value.entry] : []))
    expect(won).toHaveLength(1)
    expect(await stateOf(world, mission)).toEqual(won)
  })

  test('reaches an agent when it attaches, and whoever loads the context', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const { entry } = await alice.call('setSharedState', {
      id: mission.id,
      key: 'port',
      value: 4600,
      expectedRevision: 0,
    })
    const { agent } = await world.startedRun(mission.objectives[0])
    expect((await agent.attach()).sharedState).toEqual([entry])
    const context = await alice.protocol('load-context', { missionId: mission.id })
    expect(context.sharedState).toEqual([entry])
  })

  test('is written by agents too, also with a token for their objective alone', async ({
    world,
  }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const { mission: other } = await world.missionWith(['a'])
    const bound = await tokenForObjective(world, alice, mission.objectives[0])
    const change = { key: 'seen', value: true, expectedRevision: 0 }
    await bound.call('setSharedState', { id: mission.id, ...change })
    expect((await bound.call('listSharedState', { id: mission.id })).sharedState).toHaveLength(1)
    await expect(bound.call('setSharedState', { id: other.id, ...change })).rejects.toMatchObject({
      code: 'not_found',
    })
    await expect(
      world.vera.call('setSharedState', { id: mission.id, ...change }),
    ).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('says of each key who set it last, a person or an agent, and no more of older ones', async ({
    world,
  }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const bound = await tokenForObjective(world, alice, mission.objectives[0])
    const runner = await alice.withPreset('runner')
    const set = (caller: typeof alice, key: string, expectedRevision = 0) =>
      caller.call('setSharedState', { id: mission.id, key, value: 'x', expectedRevision })
    const { entry } = await set(alice, 'a')
    await set(bound, 'b')
    await set(runner, 'c')
    await set(alice, 'older')
    const unknown = { set_by: null, set_by_role: null }
    const { db } = world.domain
    await db.updateTable('shared_state').set(unknown).where('key', '=', 'older').execute()
    const person = { name: 'alice', role: 'person' }
    const agent = { name: 'alice', role: 'agent' }
    expect(entry?.setBy).toEqual(person)
    const setBy = async () => (await stateOf(world, mission)).map((one) => [one.key, one.setBy])
    expect(await setBy()).toEqual([
      ['a', person],
      ['b', agent],
      ['c', agent],
      ['older', null],
    ])
    await set(bound, 'a', entry?.revision)
    expect((await setBy())[0]).toEqual(['a', agent])
    const context = await alice.protocol('load-context', { missionId: mission.id })
    expect(context.sharedState.map((one) => one.setBy)).toEqual([agent, agent, agent, null])
  })

  test('keeps no token that got into it', async ({ world }) => {
    const { alice, mission } = await world.missionWith([])
    const { entry } = await alice.call('setSharedState', {
      id: mission.id,
      key: 'note',
      value: { text: [`use ${alice.token}`] },
      expectedRevision: 0,
    })
    expect(JSON.stringify(entry)).not.toContain(alice.token)
  })
})

const stateOf = async ({ alice }: World, { id }: { id: string }) =>
  (await alice.call('listSharedState', { id })).sharedState

import { verifies } from '@svc/testing/verifies'
import { test } from '../../testing/world.ts'
import { describe, expect } from 'vitest'

describe('the resources of a project', () => {
  test(
    verifies(
      [
        'resource.fields',
        'resource.path-connected',
        'resource.unavailable-marked',
        'resource.all-listed',
      ],
      'are all listed, with a path on the machine alone that has them',
    ),
    async ({ world }) => {
      const project = await world.projectWith([
        { resourceKey: 'web' },
        { resourceKey: 'api' },
        { resourceKey: 'docs', permission: 'ro' },
      ])
      const has = (...keys: string[]) => ({
        resources: keys.map((resourceKey) => ({ projectId: project.id, resourceKey })),
      })
      const laptop = await world.connectedRunner(project, has('web', 'docs'))
      const box = await world.connectedRunner(project, has('api'))
      const seen = async (caller: typeof world.alice, device: string | undefined) => {
        const answer = await caller.call('listProjectResources', {
          id: project.id,
          ...(device && { 'x-svc-device': device }),
        })
        return answer.resources.map(({ resourceKey, permission, state, path }) => [
          resourceKey,
          permission,
          state,
          path,
        ])
      }

      expect(await seen(world.alice, laptop.fingerprint)).toEqual([
        ['web', 'rw', 'connected', '/src/web'],
        ['api', 'rw', 'unavailable', null],
        ['docs', 'ro', 'connected', '/src/docs'],
      ])
      expect(
        (await seen(world.alice, box.fingerprint)).map(([key, , state, path]) => [
          key,
          state,
          path,
        ]),
      ).toEqual([
        ['web', 'unavailable', null],
        ['api', 'connected', '/src/api'],
        ['docs', 'unavailable', null],
      ])
      expect(
        (await seen(world.alice, 'device-unheard-of')).map(([, , state, path]) => [state, path]),
      ).toEqual(Array(3).fill(['unavailable', null]))
      expect(
        (await seen(world.alice, undefined)).map(([, , state, path]) => [state, path]),
      ).toEqual(Array(3).fill(['connected', null]))
    },
  )

  test("tell a path to nobody but the owner of the machine's runner", async ({ world }) => {
    const project = await world.projectWith([{ resourceKey: 'web' }])
    const runner = await world.connectedRunner(project, {
      resources: [{ projectId: project.id, resourceKey: 'web' }],
    })
    const { resources } = await world.bob.call('listProjectResources', {
      id: project.id,
      'x-svc-device': runner.fingerprint,
    })
    expect(resources).toMatchObject([{ path: null }])
  })

  test('may have an address to be cloned from, which stays until another one or none is given', async ({
    world,
  }) => {
    const project = await world.projectWith([{ resourceKey: 'web' }])
    const link = async (changes: { cloneUrl?: string | null }) => {
      const given = { id: project.id, resourceKey: 'web', ...changes }
      return (await world.alice.call('linkProjectResource', given)).resource.cloneUrl
    }
    expect(await link({})).toBeUndefined()
    const cloneUrl = 'ssh://git@git.example.com/acme/web.git'
    expect(await link({ cloneUrl: 'git@git.example.com:acme/web.git' })).toBe(cloneUrl)
    expect(await link({})).toBe(cloneUrl)
    const { resources } = await world.vera.call('listProjectResources', { id: project.id })
    expect(resources).toMatchObject([{ resourceKey: 'web', cloneUrl }])
    expect(await link({ cloneUrl: null })).toBeUndefined()
  })

  test('name the runners that have a checkout, each with the state of it', async ({ world }) => {
    const project = await world.projectWith([{ resourceKey: 'web' }, { resourceKey: 'api' }])
    const lap = await world.connectedRunner(project, { label: 'lap-of-checkouts' })
    const box = await world.connectedRunner(project, { label: 'box-of-checkouts' })
    const checkout = (resourceKey: string, state: 'usable' | 'missing') => ({
      projectId: project.id,
      resourceKey,
      path: `/src/${resourceKey}`,
      state,
    })
    await lap.claim({ resources: [checkout('web', 'missing')] })
    await box.claim({ resources: [checkout('web', 'usable'), checkout('unlinked', 'usable')] })
    const seen = async () => {
      const { resources } = await world.vera.call('listProjectResources', { id: project.id })
      return resources.map(({ resourceKey, checkouts }) => [
        resourceKey,
        checkouts.map(({ runner, state }) => `${runner.label} ${runner.state} ${state}`),
      ])
    }
    expect(await seen()).toEqual([
      ['web', ['box-of-checkouts connected usable', 'lap-of-checkouts connected missing']],
      ['api', []],
    ])
    await world.advance(61)
    await lap.claim({ resources: [] })
    expect(await seen()).toEqual([
      ['web', ['box-of-checkouts unavailable usable']],
      ['api', []],
    ])
    const { runners } = await world.alice.call('listRunners', {})
    const id = runners.find(({ label }) => label === 'box-of-checkouts')?.id ?? ''
    await world.alice.call('removeRunner', { id })
    expect(await seen()).toEqual([
      ['web', []],
      ['api', []],
    ])
  })

  test('are unavailable once their runner was silent for 60 seconds', async ({ world }) => {
    const project = await world.projectWith([{ resourceKey: 'web' }])
    await world.connectedRunner(project, {
      resources: [{ projectId: project.id, resourceKey: 'web' }],
    })
    const state = async () =>
      (await world.alice.call('listProjectResources', { id: project.id })).resources[0]?.state
    expect(await state()).toBe('connected')
    await world.advance(61)
    expect(await state()).toBe('unavailable')
  })

  test(
    verifies(
      'resource.one-primary',
      'have one primary at most: the first rw one, then the one marked last',
    ),
    async ({ world }) => {
      const project = await world.projectWith([
        { resourceKey: 'docs', permission: 'ro' },
        { resourceKey: 'web' },
        { resourceKey: 'api' },
      ])
      const primary = async () =>
        (await world.alice.call('listProjectResources', { id: project.id })).resources
          .filter((one) => one.primary)
          .map((one) => one.resourceKey)
      expect(await primary()).toEqual(['web'])
      await world.alice.call('linkProjectResource', {
        id: project.id,
        resourceKey: 'api',
        primary: true,
      })
      expect(await primary()).toEqual(['api'])
      await Promise.all(
        ['web', 'api', 'docs'].map((resourceKey) =>
          world.alice.call('linkProjectResource', { id: project.id, resourceKey, primary: true }),
        ),
      )
      expect(await primary()).toHaveLength(1)
      await world.alice.call('linkProjectResource', {
        id: project.id,
        resourceKey: (await primary())[0] ?? '',
        primary: false,
      })
      expect(await primary()).toEqual([])
    },
  )

  test('linked again are the same ones, changed', async ({ world }) => {
    const project = await world.projectWith()
    const link = (permission: 'rw' | 'ro') =>
      world.alice.call('linkProjectResource', { id: project.id, resourceKey: 'web', permission })
    expect(await link('rw')).toMatchObject({
      reused: false,
      resource: { permission: 'rw', primary: true },
    })
    expect(await link('ro')).toMatchObject({ reused: true, resource: { permission: 'ro' } })
    expect(
      (await world.alice.call('listProjectResources', { id: project.id })).resources,
    ).toHaveLength(1)
  })

  test('keep the branch that they are cut from until another one, or none of their own, is named', async ({
    world,
  }) => {
    const { id } = await world.projectWith([{ resourceKey: 'old' }])
    const link = async (defaultBranch?: string | null) => {
      const named = defaultBranch === undefined ? {} : { defaultBranch }
      await world.alice.call('linkProjectResource', { id, resourceKey: 'web', ...named })
      const { resources } = await world.alice.call('listProjectResources', { id })
      return resources.map((one) => [one.resourceKey, one.defaultBranch])
    }
    expect(await link('master')).toEqual([
      ['old', undefined],
      ['web', 'master'],
    ])
    expect((await link())[1]).toEqual(['web', 'master'])
    expect((await link('develop'))[1]).toEqual(['web', 'develop'])
    expect((await link(null))[1]).toEqual(['web', undefined])
    await expect(link('-x')).rejects.toThrow('branch name')
  })

  test(
    verifies('resource.permission', 'are linked rw or ro and no other way'),
    async ({ world }) => {
      const { id } = await world.projectWith()
      const link = (permission: string) =>
        // a client may send what it wants
        world.alice.call('linkProjectResource', {
          id,
          resourceKey: 'web',
          permission: permission as 'rw',
        })
      for (const wrong of ['rwx', 'w', ''])
        await expect(link(wrong)).rejects.toThrow('Invalid option')
      for (const right of ['rw', 'ro']) expect((await link(right)).resource.permission).toBe(right)
      const raw = world.domain.db
        .updateTable('project_resources')
        .set({ permission: 'rwx' as 'rw' })
        .where('project_id', '=', id)
      await expect(raw.execute()).rejects.toMatchObject({ code: '23514' })
    },
  )

  test('are linked by members and not by viewers', async ({ world }) => {
    const project = await world.projectWith()
    const link = { id: project.id, resourceKey: 'web' }
    await expect(world.vera.call('linkProjectResource', link)).rejects.toMatchObject({
      code: 'forbidden',
    })
    await expect(world.carla.call('linkProjectResource', link)).rejects.toMatchObject({
      code: 'not_found',
    })
    await world.bob.call('linkProjectResource', link)
  })
})

describe('a resource that is unlinked', () => {
  const linked = { resources: [{ resourceKey: 'web' }] }

  test('is gone from the project, and can be linked anew', async ({ world }) => {
    const project = await world.projectWith([{ resourceKey: 'web' }, { resourceKey: 'api' }])
    const unlink = { id: project.id, key: 'web' }

    await expect(world.vera.call('unlinkProjectResource', unlink)).rejects.toMatchObject({
      code: 'forbidden',
    })
    await expect(world.carla.call('unlinkProjectResource', unlink)).rejects.toMatchObject({
      code: 'not_found',
    })
    await world.bob.call('unlinkProjectResource', unlink)

    const { resources } = await world.alice.call('listProjectResources', { id: project.id })
    expect(resources.map((one) => one.resourceKey)).toEqual(['api'])
    await expect(world.bob.call('unlinkProjectResource', unlink)).rejects.toMatchObject({
      code: 'not_found',
    })
    const again = { id: project.id, resourceKey: 'web' }
    expect(await world.bob.call('linkProjectResource', again)).toMatchObject({ reused: false })
  })

  test('is kept, with the reason, while something is launched on it', async ({ world }) => {
    const { alice, project, mission } = await world.missionWith(['write the docs'], linked)
    const [objective] = mission.objectives
    const web = { projectId: project.id, resourceKey: 'web' }
    const runner = await world.connectedRunner(project, { resources: [web] })
    await alice.launch(objective)
    const unlink = { id: project.id, key: 'web' }

    const written = await world.rowsWrittenBy(() => alice.call('unlinkProjectResource', unlink))

    expect(written).toMatchObject({
      rows: [],
      refusal: { code: 'resource_in_use', message: expect.stringContaining(objective.displayId) },
    })
    await runner.failed(await runner.take())
    await alice.call('unlinkProjectResource', unlink)
  })

  test(
    'leaves no launch behind that chose it at the same moment',
    { tags: 'large' },
    async ({ world }) => {
      for (let round = 0; round < 8; round += 1) {
        const { alice, project, mission } = await world.missionWith(['write the docs'], linked)
        const web = { projectId: project.id, resourceKey: 'web' }
        await world.connectedRunner(project, { resources: [web] })

        await Promise.allSettled([
          alice.launch(mission.objectives[0]),
          alice.call('unlinkProjectResource', { id: project.id, key: 'web' }),
        ])

        const { resources } = await alice.call('listProjectResources', { id: project.id })
        const requests = await alice.requestsOf(mission)
        const waiting = requests.filter((request) => request.resourceKey === 'web')
        expect(waiting.length > 0).toBe(resources.length > 0)
      }
    },
  )
})

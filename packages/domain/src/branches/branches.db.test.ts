import type { WantedBranch } from '@svc/contracts/runner'
import type { Lease, TestRunner } from '../testing/runner.ts'
import { leaseOf } from '../testing/runner.ts'
import { verifies } from '@svc/testing/verifies'
import { type World, test } from '../testing/world.ts'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'

const sha = (letter: string) => letter.repeat(40)
const branch = 'a-mission-1'

const two = { resources: [{ resourceKey: 'web' }, { resourceKey: 'api' }] }
const parallel = { ...two, allowParallelObjectives: true }

async function sceneWith(world: World, instructions: readonly string[], setUp: object = two) {
  const { alice, project, mission } = await world.missionWith(instructions, setUp)
  const machine = (label: string) =>
    world.connectedRunner(project, {
      label,
      resources: ['web', 'api'].map((resourceKey) => ({ projectId: project.id, resourceKey })),
    })
  const launch = async (index: number, resourceKey: string, more: { fromBase?: boolean } = {}) =>
    (await alice.launch(mission.objectives[index]!, { resourceKey, ...more })).executionRequest
  return { alice, mission, launch, laptop: await machine('laptop'), box: await machine('box') }
}

/** What the next claim is answered. */
async function claimed(runner: TestRunner) {
  const answer = await runner.claim()
  return { lease: leaseOf(answer), branches: answer.request?.branches }
}

/** From the claim on: a run on that branch whose agent delivers; its exit is not reported. */
async function deliver(runner: TestRunner, lease: Lease, name = branch) {
  await runner.launching(lease, name, {
    missionBranch: branch,
    startSha: sha('a'),
    baseSha: sha('a'),
  })
  await runner.launched(lease)
  const agent = runner.agent(lease)
  await agent.attach()
  await agent.deliver()
}

describe('the branch of a mission', () => {
  test(
    verifies('mission.active-branch', 'is recorded for each resource, with its commits'),
    async ({ world }) => {
      const { alice, mission, launch, laptop } = await sceneWith(world, ['one', 'two', 'three'])
      await launch(0, 'web')
      const first = await claimed(laptop)
      expect(first.branches).toEqual({
        mission: null,
        objective: null,
        delivered: [],
        fromBase: false,
      })
      await deliver(laptop, first.lease)
      await laptop.diff(first.lease, { headSha: sha('b') })
      await laptop.exited(first.lease, { headSha: sha('c') })
      expect((await alice.mission(mission)).active_branch).toBe(branch)

      await launch(1, 'api')
      const second = await claimed(laptop)
      expect(second.branches?.mission).toBeNull()
      await deliver(laptop, second.lease)
      await laptop.exited(second.lease)

      await launch(2, 'web')
      const request = await claimed(laptop)
      expect(request.branches?.mission).toEqual({
        branch,
        startSha: sha('a'),
        lastSha: sha('c'),
        runnerId: expect.any(String),
        runnerLabel: 'laptop',
      })
    },
  )

  test(
    'is known by its last commit as soon as the changes are uploaded',
    { tags: 'large' },
    async ({ world }) => {
      const { launch, laptop } = await sceneWith(world, ['one', 'two'])
      await launch(0, 'web')
      const first = await claimed(laptop)
      await deliver(laptop, first.lease)
      await laptop.diff(first.lease, { headSha: sha('b') })
      await launch(1, 'web')
      expect((await claimed(laptop)).branches?.mission?.lastSha).toBe(sha('b'))
    },
  )

  test(
    'is not set back by a run that reports its end after its successor began',
    { tags: 'large' },
    async ({ world }) => {
      const { launch, laptop } = await sceneWith(world, ['one', 'two', 'three'])
      await launch(0, 'web')
      const first = await claimed(laptop)
      await deliver(laptop, first.lease)
      await launch(1, 'web')
      const second = await claimed(laptop)
      await laptop.launching(second.lease, branch, {
        missionBranch: branch,
        startSha: sha('a'),
        baseSha: sha('d'),
      })
      await laptop.exited(first.lease, { headSha: sha('b') })
      await laptop.failed(second.lease)
      await launch(2, 'web')
      expect((await claimed(laptop)).branches?.mission?.lastSha).toBe(sha('d'))
    },
  )

  test(
    'is gone on with by its own runner alone until the end of the run is known',
    { tags: 'large' },
    async ({ world }) => {
      const { launch, laptop, box } = await sceneWith(world, ['one', 'two'])
      await launch(0, 'web')
      const first = await claimed(laptop)
      await deliver(laptop, first.lease)
      await launch(1, 'web')

      expect((await box.claim()).request).toBeNull()
      await laptop.exited(first.lease, { headSha: sha('b') })

      expect((await claimed(box)).branches?.mission).toMatchObject({ lastSha: sha('b') })
    },
  )

  test('is gone on with by its own runner at once', { tags: 'large' }, async ({ world }) => {
    const { launch, laptop } = await sceneWith(world, ['one', 'two'])
    await launch(0, 'web')
    await deliver(laptop, (await claimed(laptop)).lease)
    await launch(1, 'web')
    expect((await laptop.claim()).request).not.toBeNull()
  })

  test(
    'is free for another runner once the lease of the run has lapsed',
    { tags: 'large' },
    async ({ world }) => {
      const { launch, laptop, box } = await sceneWith(world, ['one', 'two'])
      await launch(0, 'web')
      await deliver(laptop, (await claimed(laptop)).lease)
      await launch(1, 'web')
      expect((await box.claim()).request).toBeNull()
      await world.advance(world.domain.seconds.lease + 1)
      expect((await box.claim()).request).not.toBeNull()
    },
  )

  test(
    'in one resource does not keep another runner from the other resource',
    { tags: 'large' },
    async ({ world }) => {
      const { launch, laptop, box } = await sceneWith(world, ['one', 'two'])
      await launch(0, 'web')
      await deliver(laptop, (await claimed(laptop)).lease)
      await launch(1, 'api')
      expect((await box.claim()).request).not.toBeNull()
    },
  )

  test(
    'is begun anew on a person’s word, once for that launch',
    { tags: 'large' },
    async ({ world }) => {
      const { launch, laptop } = await sceneWith(world, ['one', 'two'])
      await launch(0, 'web')
      const first = await claimed(laptop)
      await deliver(laptop, first.lease)
      await laptop.exited(first.lease, { headSha: sha('b') })

      await launch(1, 'web', { fromBase: true })
      const second = await claimed(laptop)
      expect(second.branches).toMatchObject({ fromBase: true, mission: { branch } })
      const next = `${branch}-2`
      await laptop.launching(second.lease, next, {
        missionBranch: next,
        startSha: sha('e'),
        baseSha: sha('e'),
      })
      await laptop.released(second.lease, { reason: 'runner_draining' })

      expect((await claimed(laptop)).branches).toMatchObject({
        fromBase: false,
        mission: { branch: next, startSha: sha('e'), lastSha: sha('e') },
      })
    },
  )
})

describe('the branch of an objective', () => {
  test(
    verifies(
      'objective.branch-recorded',
      'is told to its own next run, and to siblings once it was delivered',
    ),
    async ({ world }) => {
      const { alice, mission, launch, laptop } = await sceneWith(
        world,
        ['one', 'two', 'three'],
        parallel,
      )
      await launch(0, 'web')
      const main = await claimed(laptop)
      await laptop.launching(main.lease, branch, {
        missionBranch: branch,
        startSha: sha('a'),
        baseSha: sha('a'),
      })
      await launch(1, 'web')
      const sibling = await claimed(laptop)
      const own = `${branch}-${mission.objectives[1]!.displayId.split('.')[1]}`
      await deliver(laptop, sibling.lease, own)
      await laptop.exited(sibling.lease, { headSha: sha('f') })

      expect((await alice.objective(mission.objectives[1]!)).branch).toBe(own)
      expect((await alice.mission(mission)).active_branch).toBe(branch)
      await launch(2, 'web')
      expect((await claimed(laptop)).branches).toMatchObject({
        mission: { branch },
        objective: null,
        delivered: [
          { displayId: mission.objectives[1]!.displayId, branch: own, lastSha: sha('f') },
        ],
      })
    },
  )

  test(
    'leaves the mission’s as it was, on which an earlier try of the run was',
    { tags: 'large' },
    async ({ world }) => {
      const { mission, launch, laptop } = await sceneWith(world, ['one', 'two'], parallel)
      await launch(0, 'web')
      const commits = { missionBranch: branch, startSha: sha('a'), baseSha: sha('a') }
      const first = await laptop.take()
      await laptop.launching(first, branch, commits)
      await laptop.released(first, { reason: 'runner_draining' })
      const own = `${branch}-${mission.objectives[0]!.displayId.split('.')[1]}`
      const second = await laptop.take()
      await laptop.launching(second, own, commits)
      await laptop.launched(second)
      await laptop.diff(second, { headSha: sha('b') })

      await launch(1, 'web')
      expect((await claimed(laptop)).branches?.mission).toMatchObject({ branch, lastSha: sha('a') })
    },
  )

  test(
    'is gone on with when the objective is launched again',
    { tags: 'large' },
    async ({ world }) => {
      const { mission, launch, laptop } = await sceneWith(world, ['one', 'two'], parallel)
      await launch(0, 'web')
      await laptop.take()
      await launch(1, 'web')
      const own = `${branch}-${mission.objectives[1]!.displayId.split('.')[1]}`
      const sibling = await claimed(laptop)
      await laptop.launching(sibling.lease, own, {
        missionBranch: branch,
        startSha: sha('a'),
        baseSha: sha('a'),
      })
      await laptop.failed(sibling.lease)
      await launch(1, 'web')
      expect((await claimed(laptop)).branches?.objective).toMatchObject({ branch: own })
    },
  )
})

test('what the preparation of a branch found is shown with the run', async ({ world }) => {
  const { alice, launch, laptop } = await sceneWith(world, ['one'])
  const request = await launch(0, 'web')
  const { lease } = await claimed(laptop)
  const warnings = ['Branch x is not in this branch.']
  await laptop.launching(lease, branch, { missionBranch: branch, warnings })
  expect((await alice.request(request)).warnings).toEqual(warnings)
})

describe('the branches of a run in resources other than its own', () => {
  const inApi = {
    resourceKey: 'api',
    workingDirectory: '/src/api',
    branch,
    missionBranch: branch,
    startSha: sha('1'),
    baseSha: sha('1'),
    checkout: 'worktree' as const,
  }
  const inWeb = { missionBranch: branch, startSha: sha('a'), baseSha: sha('a') }
  const inResource = async (runner: TestRunner, { id, leaseToken }: Lease, resourceKey: string) =>
    (await runner.call('reserveBranch', { id, leaseToken, resourceKey, wanted: null })).branches

  test(
    'are recorded with it, and each with its own last commit',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, mission, launch, laptop } = await sceneWith(world, ['one', 'two', 'three'])
      await launch(0, 'web')
      const first = await laptop.take()
      const others = [inApi]
      await laptop.launching(first, branch, { ...inWeb, others })
      await laptop.launching(first, branch, { ...inWeb, others })
      await laptop.launched(first)
      const agent = laptop.agent(first)
      await agent.attach()
      await agent.deliver()
      const inOthers = (letter: string) => [
        { resourceKey: 'api', headSha: sha(letter) },
        // it was prepared in no such resource
        { resourceKey: 'docs', headSha: sha(letter) },
      ]
      await laptop.diff(first, { headSha: sha('b'), others: inOthers('2') })
      await launch(1, 'api')
      const second = await claimed(laptop)
      expect(second.branches?.mission).toMatchObject({ branch, lastSha: sha('2') })
      await laptop.failed(second.lease)
      await laptop.exited(first, { headSha: sha('c'), others: inOthers('3') })

      const { branches } = await alice.call('listBranches', { missionId: mission.id })
      expect(
        branches.map((one) => [one.resourceKey, one.branch, one.startSha, one.lastSha]),
      ).toEqual([
        ['web', branch, sha('a'), sha('c')],
        ['api', branch, sha('1'), sha('3')],
      ])
      expect((await alice.mission(mission)).active_branch).toBe(branch)
    },
  )

  test('are told to who asks for them, and reserve nothing', async ({ world }) => {
    const { mission, launch, laptop } = await sceneWith(world, ['one', 'two'], parallel)
    await launch(0, 'web')
    const first = await laptop.take()
    expect(await inResource(laptop, first, 'api')).toMatchObject({ mission: null, delivered: [] })
    await laptop.launching(first, branch, { ...inWeb, others: [inApi] })
    const { rows } =
      await sql`select from reserved_branches where mission_id = ${mission.id}`.execute(
        world.domain.db,
      )
    expect(rows).toEqual([])

    await launch(1, 'web')
    const answer = await laptop.claim()
    const second = leaseOf(answer)
    expect(answer.request?.siblings).toMatchObject([{ branch, alsoIn: ['api'] }])
    const known = { mission: { branch, startSha: sha('1'), lastSha: sha('1') }, objective: null }
    expect(await inResource(laptop, second, 'api')).toMatchObject(known)
    const own = `${branch}-${mission.objectives[1]!.displayId.split('.')[1]}`
    const aside = { ...inApi, branch: own, startSha: sha('4'), baseSha: sha('4') }
    await laptop.launching(second, own, { ...inWeb, others: [aside] })
    expect(await inResource(laptop, second, 'api')).toMatchObject({
      ...known,
      objective: { branch: own, startSha: sha('4') },
    })
  })

  test('are told to the run that goes on with it', { tags: 'large' }, async ({ world }) => {
    const { alice, mission, launch, laptop } = await sceneWith(world, ['one'])
    await launch(0, 'web')
    const first = await laptop.take()
    await laptop.launching(first, branch, { ...inWeb, others: [inApi] })
    await laptop.launched(first)
    await laptop.agent(first).attach()
    const heads = { headSha: sha('b'), others: [{ resourceKey: 'api', headSha: sha('2') }] }
    await laptop.exited(first, heads)
    await alice.resume(mission.objectives[0]!)

    const answer = await laptop.claim()

    expect(answer.request?.resume?.prepared?.others).toEqual([inApi])
    await laptop.launching(leaseOf(answer), branch, { ...inWeb, others: [inApi] })
    expect(await inResource(laptop, leaseOf(answer), 'api')).toMatchObject({
      mission: { lastSha: sha('2') },
    })
  })

  test(
    'keep another runner from them only from the delivery to the end of the run',
    { tags: 'large' },
    async ({ world }) => {
      const { launch, laptop, box } = await sceneWith(world, ['one', 'two', 'three'], parallel)
      await launch(0, 'web')
      const first = await laptop.take()
      await laptop.launching(first, branch, { ...inWeb, others: [inApi] })
      await laptop.launched(first)
      const agent = laptop.agent(first)
      await agent.attach()
      await launch(1, 'api')
      // it runs next to the first, on a branch of its own
      expect((await box.claim()).request?.siblings).toMatchObject([{ alsoIn: ['api'] }])

      await agent.deliver()
      await launch(2, 'api')
      expect((await box.claim()).request).toBeNull()
      await laptop.exited(first, { others: [{ resourceKey: 'api', headSha: sha('2') }] })
      expect((await claimed(box)).branches?.mission).toMatchObject({ branch, lastSha: sha('2') })
    },
  )

  test('are refused where a resource is named twice', async ({ world }) => {
    const { launch, laptop } = await sceneWith(world, ['one'])
    await launch(0, 'web')
    const lease = await laptop.take()
    const twice = laptop.launching(lease, branch, { ...inWeb, others: [inApi, inApi] })
    await expect(twice).rejects.toThrow('name each resource once')
  })
})

describe('the recorded branches', { tags: 'large' }, () => {
  test('are listed per mission and resource, and by name', async ({ world }) => {
    const { alice, mission, launch, laptop, box } = await sceneWith(world, ['one', 'two'])
    for (const [index, resourceKey, runner] of [
      [0, 'web', laptop],
      [1, 'api', box],
    ] as const) {
      await launch(index, resourceKey)
      const { lease } = await claimed(runner)
      await deliver(runner, lease)
      await runner.exited(lease, { headSha: sha('c') })
    }
    const { branches } = await alice.call('listBranches', { missionId: mission.displayId })
    const common = {
      missionId: mission.id,
      mission: mission.displayId,
      projectId: mission.projectId,
      objectiveId: null,
      objective: null,
      branch,
      baseBranch: 'main',
      startSha: sha('a'),
      lastSha: sha('c'),
    }
    expect(branches).toEqual([
      expect.objectContaining({ ...common, resourceKey: 'web', runnerLabel: 'laptop' }),
      expect.objectContaining({ ...common, resourceKey: 'api', runnerLabel: 'box' }),
    ])
    const named = async (name: string) =>
      (await alice.call('listBranches', { missionId: mission.id, branch: name })).branches
    expect(await named(branch)).toEqual(branches)
    expect(await named('another')).toEqual([])
    expect((await world.carla.call('listBranches', { branch })).branches).toEqual([])
  })

  test('come in pages that leave none out, and go with their mission', async ({ world }) => {
    const { alice, mission, launch, laptop } = await sceneWith(world, ['one', 'two'])
    for (const [index, resourceKey] of [
      [0, 'web'],
      [1, 'api'],
    ] as const) {
      await launch(index, resourceKey)
      const { lease } = await claimed(laptop)
      await deliver(laptop, lease)
      await laptop.exited(lease)
    }
    const keys: string[] = []
    let cursor: string | undefined
    do {
      const asked = { missionId: mission.id, limit: 1, ...(cursor && { cursor }) }
      const page = await alice.call('listBranches', asked)
      keys.push(...page.branches.map((one) => one.resourceKey))
      cursor = page.nextCursor
    } while (cursor)
    expect(keys).toEqual(['web', 'api'])
    for (const bad of ['x', 'x/web/y', `${mission.id}/A b/${mission.id}`]) {
      const refused = alice.call('listBranches', { cursor: bad })
      await expect(refused).rejects.toMatchObject({ code: 'validation_failed' })
    }
    const { branches } = await alice.call('listBranches', {})
    expect(branches.map((one) => one.missionId)).toContain(mission.id)
    await alice.call('deleteMissions', { missionIds: [mission.id], confirm: true })
    const left = await alice.call('listBranches', {})
    expect(left.branches.map((one) => one.missionId)).not.toContain(mission.id)
  })
})

describe('the name of a branch that is yet to be cut', () => {
  const wanted = { branch, follows: null, insteadOf: null }
  const namedFor =
    (lease: Lease, resourceKey = 'web') =>
    async (runner: TestRunner, more: Partial<WantedBranch> = {}) => {
      const { id, leaseToken } = lease
      const input = { id, leaseToken, resourceKey, wanted: { ...wanted, ...more } }
      const { reserved } = await runner.call('reserveBranch', input)
      if (reserved === null) throw new Error('whoever wants a name is given one')
      return reserved
    }

  test(
    'is the one that the first of several runs asked for',
    { tags: 'large' },
    async ({ world }) => {
      const { launch, laptop, box } = await sceneWith(world, ['one', 'two'], parallel)
      await launch(0, 'web')
      const first = await claimed(laptop)
      await launch(1, 'web')
      const second = await claimed(box)
      const names = await Promise.all([
        namedFor(first.lease)(laptop, { branch: 'of-the-laptop' }),
        namedFor(second.lease)(box, { branch: 'of-the-box' }),
      ])
      const [name] = names
      expect(names).toEqual([name, name])
      const again = await namedFor(second.lease)(box, { branch: 'of-the-box' })
      expect(again).toEqual(name)
      // each resource has names of its own, and so has the branch that comes after this one
      const api = await namedFor(second.lease, 'api')(box, { branch: 'in-api' })
      expect(api.branch).toBe('in-api')
      const next = { branch: 'the-next', follows: name?.branch ?? null }
      expect((await namedFor(first.lease)(laptop, next)).branch).toBe('the-next')
    },
  )

  test('is replaced by who cannot use it, once', { tags: 'large' }, async ({ world }) => {
    const { launch, laptop, box } = await sceneWith(world, ['one', 'two'], parallel)
    await launch(0, 'web')
    const first = await claimed(laptop)
    await launch(1, 'web')
    const second = await claimed(box)
    await namedFor(first.lease)(laptop)
    const instead = { branch: `${branch}-2`, insteadOf: branch }
    const replaced = await namedFor(second.lease)(box, instead)
    expect(replaced.branch).toBe(`${branch}-2`)
    expect(await namedFor(first.lease)(laptop, { ...instead, branch: `${branch}-3` })).toEqual(
      replaced,
    )
  })

  test('is told with what was recorded meanwhile, to the present claim alone', async ({
    world,
  }) => {
    const { launch, laptop } = await sceneWith(world, ['one', 'two'], parallel)
    await launch(0, 'web')
    const first = await claimed(laptop)
    await launch(1, 'web')
    const second = await claimed(laptop)
    expect(second.branches?.mission).toBeNull()
    await laptop.launching(first.lease, branch, { startSha: sha('a'), baseSha: sha('a') })

    const { id, leaseToken } = second.lease
    const input = { id, leaseToken, resourceKey: 'web', wanted }
    const { branches } = await laptop.call('reserveBranch', input)

    expect(branches.mission).toMatchObject({ branch, lastSha: sha('a'), runnerLabel: 'laptop' })
    const nowhere = laptop.call('reserveBranch', { ...input, resourceKey: 'nowhere' })
    await expect(nowhere).rejects.toMatchObject({ code: 'not_found' })
    const old = laptop.call('reserveBranch', { ...input, leaseToken: first.lease.leaseToken })
    await expect(old).rejects.toMatchObject({ code: 'lease_lost' })
  })
})

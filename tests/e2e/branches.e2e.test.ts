import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { ExecutionRequest } from '@svc/contracts/execution-request'
import { verifies } from '@svc/testing/verifies'
import { describe, expect } from 'vitest'
import type { Machine } from './support/machine.ts'
import type { Gate } from './support/proxy.ts'
import { type Repository, createRepository } from './support/repository.ts'
import { type Scene, resourceKey } from './support/scene.ts'
import { temporaryFolder } from './support/temporary.ts'
import { test } from './support/test.ts'
import { until } from './support/until.ts'

const missionBranch = 'build-the-bridge-1'
const pillars = ['one', 'two', 'three', 'four'].map((name) => `Build pillar ${name}.`)
const other = 'other'

/** Launches the objective at that place of the mission, and waits for the end of its run. */
async function carry(scene: Scene, index: number, key: string) {
  const { objectives } = await scene.client.call('getMission', { id: scene.mission.id })
  const { id } = objectives[index]!
  const launch = { id, agent: 'scripted', resourceKey: key }
  const { executionRequest } = await until('the objective can be launched', () =>
    scene.client.call('launchObjective', launch).catch(() => undefined),
  )
  return until('its run is over', async () => {
    const { executionRequest: run } = await scene.client.call('getExecutionRequest', {
      id: executionRequest.id,
    })
    return run.endedAt === null ? undefined : run
  })
}

const linesOn = (repository: Repository, branch: string) =>
  repository.git('show', `${branch}:scripted-agent.md`).split('\n')

describe('a mission', () => {
  test('over two repositories finds in each what came before', async ({ service }) => {
    const opened = new AsyncDisposableStack()
    await using _ = opened
    const scene = opened.use(
      await service.scene({
        repository: true,
        elsewhere: [{ resourceKey: other }],
        instructions: pillars,
      }),
    )
    const folder = temporaryFolder()
    opened.defer(() => rmSync(folder, { recursive: true }))
    const second = createRepository(join(folder, other))
    const machine = await scene.machine()
    machine.link(scene.project, other, second.path)

    for (const [index, key] of [resourceKey, other, resourceKey, other].entries()) {
      expect(await carry(scene, index, key)).toMatchObject({ outcome: 'delivered' })
    }

    for (const [repository, first, last] of [
      [scene.repository, 0, 2],
      [second, 1, 3],
    ] as const) {
      expect(linesOn(repository, missionBranch)).toEqual([
        `- ${pillars[first]}`,
        `- ${pillars[last]}`,
      ])
      expect(repository.git('branch', '--format=%(refname:short)').split('\n').toSorted()).toEqual([
        missionBranch,
        'main',
      ])
    }
  })

  test('goes on at another machine with what came before, and not without it', async ({
    service,
  }) => {
    const opened = new AsyncDisposableStack()
    await using _ = opened
    const scene = opened.use(await service.scene({ repository: true, instructions: pillars }))
    const laptop = await scene.machine()
    await carry(scene, 0, resourceKey)
    await stop(laptop)
    const folder = temporaryFolder()
    opened.defer(() => rmSync(folder, { recursive: true }))
    const copy = createRepository(join(folder, 'copy'))
    const box = await scene.machine()
    box.link(scene.project, resourceKey, copy.path)

    const waiting = carry(scene, 1, resourceKey)
    const held = await scene.untilRequest(
      'given back',
      ({ lastRelease }) => lastRelease?.reason === 'branch_elsewhere',
    )
    expect(held).toMatchObject({ attempt: 1 })
    expect(copy.git('branch', '--format=%(refname:short)')).toBe('main')
    copy.git('fetch', '--quiet', scene.repository.path, `${missionBranch}:${missionBranch}`)

    expect(await waiting).toMatchObject({ outcome: 'delivered', branch: missionBranch })
    expect(linesOn(copy, missionBranch)).toEqual(pillars.slice(0, 2).map((text) => `- ${text}`))
  })
})

test(
  verifies(
    ['objective.branch-name', 'objective.branch-recorded', 'parallel.own-branch'],
    'an objective beside a running sibling gets a branch of its own, recorded on itself alone',
  ),
  async ({ service }) => {
    const opened = new AsyncDisposableStack()
    await using _ = opened
    const instructions = ['Stay.\nscripted: hang-after-attach', 'Build the other pillar.']
    const scene = opened.use(await service.scene({ repository: true, instructions }))
    const { client, mission } = scene
    await client.call('updateMission', { id: mission.id, allowParallelObjectives: true })
    await scene.machine({ max: 1 })
    await scene.launch('scripted', resourceKey)
    await scene.untilRequest('attached', ({ sessionId }) => sessionId !== null)
    const folder = temporaryFolder()
    opened.defer(() => rmSync(folder, { recursive: true }))
    const copy = createRepository(join(folder, 'copy'))
    const box = await scene.machine()
    box.link(scene.project, resourceKey, copy.path)

    const run = await carry(scene, 1, resourceKey)

    const { objectives, mission: now } = await client.call('getMission', { id: mission.id })
    const own = `${missionBranch}-${objectives[1]?.displayId.split('.')[1]}`
    expect(run).toMatchObject({ outcome: 'delivered', branch: own })
    expect(objectives.slice(0, 2).map(({ branch }) => branch)).toEqual([null, own])
    expect(now.active_branch).toBe(missionBranch)
    expect(linesOn(copy, own)).toEqual(['- Build the other pillar.'])
  },
)

describe('four objectives of a mission that are launched at one moment', () => {
  test.for([
    { on: 'one runner', machines: 1 },
    { on: 'two runners', machines: 2 },
  ])('get branches of one mission: on $on', async ({ machines }, { service }) => {
    await using scene = await service.scene({ repository: true, instructions: pillars })
    const { client, mission, project, repository } = scene
    await client.call('updateMission', { id: mission.id, allowParallelObjectives: true })
    const each = pillars.length / machines
    const gates: Gate[] = []
    for (let count = 0; count < machines; count += 1) {
      const { proxy } = await scene.machine({ max: each })
      for (let run = 0; run < each; run += 1) gates.push(proxy.hold('load-context'))
    }
    await until('the checkout is connected', async () => {
      const { resources } = await client.call('listProjectResources', { id: project.id })
      return resources.every(({ state }) => state === 'connected')
    })
    const { objectives } = await client.call('getMission', { id: mission.id })
    const four = objectives.slice(0, pillars.length)

    const launched = await Promise.all(
      four.map(({ id }) => client.call('launchObjective', { id, agent: 'scripted', resourceKey })),
    )
    const [first] = launched
      .map(({ executionRequest }) => executionRequest)
      .toSorted((one, other) => (ageOf(one) < ageOf(other) ? -1 : 1))
    // another is claimed before the first has a branch, and looks for its own when the first has cut that
    const held: (Gate & { isFirst: boolean })[] = []
    for (const gate of gates) {
      void gate.arrived.then(({ body }) => {
        held.push({ ...gate, isFirst: body.includes(first?.objectiveId ?? '') })
      })
    }
    await until('two are held', () => held.length > 1 && held.some(({ isFirst }) => isFirst))
    held.find(({ isFirst }) => isFirst)?.open()
    await until('its branch is there', () => repository.git('branch', '--list', missionBranch))
    gates.forEach(({ open }) => open())
    const runs = await Promise.all(
      launched.map(({ executionRequest: { id } }) =>
        until('its run is over', async () => {
          const { executionRequest } = await client.call('getExecutionRequest', { id })
          return executionRequest.endedAt === null ? undefined : executionRequest
        }),
      ),
    )

    const expected = four.map(({ id, displayId }) =>
      id === first?.objectiveId ? missionBranch : `${missionBranch}-${displayId.split('.')[1]}`,
    )
    expect(runs.map(({ branch }) => branch)).toEqual(expected)
    expect(runs.map(({ outcome }) => outcome)).toEqual(four.map(() => 'delivered'))
    expect(repository.git('branch', '--format=%(refname:short)').split('\n').toSorted()).toEqual(
      [...expected, 'main'].toSorted(),
    )
    const { mission: now } = await client.call('getMission', { id: mission.id })
    expect(now.active_branch).toBe(missionBranch)
  })
})

describe('a supervisor that is killed', () => {
  const branchesOf = ({ git }: Repository) =>
    git('branch', '--format=%(refname:short)').split('\n').toSorted()

  test('before it has cut the branch whose name it was given leaves the name to the next try', async ({
    service,
  }) => {
    await using scene = await service.scene({ repository: true })
    const { proxy, supervisor } = await scene.machine()
    const given = proxy.loseAnswer('/branches')
    await scene.launch('scripted', resourceKey)
    await given
    await proxy.hold('/branches').arrived
    expect(branchesOf(scene.repository)).toEqual(['main'])

    process.kill(await supervisor(), 'SIGKILL')

    const again = await scene.untilEnded()
    expect(again).toMatchObject({ outcome: 'delivered', attempt: 2, branch: missionBranch })
    expect(branchesOf(scene.repository)).toEqual([missionBranch, 'main'])
  })

  test('before it has told of the branch that it cut leaves the branch to the next try', async ({
    service,
  }) => {
    await using scene = await service.scene({ repository: true })
    const { proxy, supervisor } = await scene.machine()
    const begin = proxy.hold('/launching')
    await scene.launch('scripted', resourceKey)
    await begin.arrived
    const told = proxy.hold('/launching')
    begin.open()
    await told.arrived
    expect(branchesOf(scene.repository)).toEqual([missionBranch, 'main'])

    process.kill(await supervisor(), 'SIGKILL')

    const again = await scene.untilEnded()
    expect(again).toMatchObject({ outcome: 'delivered', attempt: 2, branch: missionBranch })
    expect(branchesOf(scene.repository)).toEqual([missionBranch, 'main'])
  })
})

const ageOf = ({ createdAt, id }: ExecutionRequest) => `${createdAt} ${id}`

async function stop(machine: Machine): Promise<void> {
  await machine.settled()
  machine.daemon().kill('SIGQUIT')
  await machine.daemon().ended
}

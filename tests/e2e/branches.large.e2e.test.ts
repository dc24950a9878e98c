import { verifies } from '@svc/testing/verifies'
import { describe, expect } from 'vitest'
import {
  branchesOf,
  carry,
  launchedAtOneMoment,
  leftToTheNextTry,
  linesOn,
  missionBranch,
  pillars,
} from './branches.ts'
import type { Machine } from './support/machine.ts'
import { resourceKey } from './support/scene.ts'
import { test } from './support/test.ts'

const other = 'other'

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
    const second = scene.repositoryAt(other)
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
      expect(branchesOf(repository)).toEqual([missionBranch, 'main'])
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
    const copy = scene.repositoryAt('copy')
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
    'an objective that runs in parallel with a sibling gets a branch of its own, recorded on itself alone',
  ),
  async ({ service }) => {
    const opened = new AsyncDisposableStack()
    await using _ = opened
    const instructions = ['Stay.\nscripted: hang-after-attach', 'Build the other pillar.']
    const setUp = { repository: true, instructions, parallel: true }
    const scene = opened.use(await service.scene(setUp))
    const { client, mission } = scene
    await scene.machine({ max: 1 })
    await scene.launch('scripted', resourceKey)
    await scene.untilRequest('attached', ({ sessionId }) => sessionId !== null)
    const copy = scene.repositoryAt('copy')
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

launchedAtOneMoment(1)

launchedAtOneMoment(2)

describe('a supervisor that is killed', () => {
  leftToTheNextTry(
    'before it has cut the branch whose name it was given leaves the name to the next try',
    async (scene, { proxy }) => {
      const given = proxy.loseAnswer('/branches')
      await scene.launch('scripted', resourceKey)
      await given
      await proxy.hold('/branches').arrived
      return { branches: ['main'] }
    },
  )

  leftToTheNextTry(
    'before it has reported the branch that it cut leaves the branch to the next try',
    async (scene, { proxy }) => {
      const begin = proxy.hold('/launching')
      await scene.launch('scripted', resourceKey)
      await begin.arrived
      const held = proxy.hold('/launching')
      begin.open()
      await held.arrived
      return { branches: [missionBranch, 'main'] }
    },
  )
})

async function stop(machine: Machine): Promise<void> {
  await machine.settled()
  machine.daemon().kill('SIGQUIT')
  await machine.daemon().ended
}

import type { ExecutionRequest } from '@svc/contracts/execution-request'
import { expect } from 'vitest'
import type { Gate } from './support/proxy.ts'
import type { Machine } from './support/machine.ts'
import type { Repository } from '@svc/testing/temporary'
import { type Scene, resourceKey } from './support/scene.ts'
import { test } from './support/test.ts'
import { until } from './support/until.ts'

export const missionBranch = 'build-the-bridge-1'
export const pillars = ['one', 'two', 'three', 'four'].map((name) => `Build pillar ${name}.`)

/** Launches the objective at that place of the mission, and waits for the end of its run. */
export async function carry(scene: Scene, index: number, key: string) {
  const { id } = await scene.launch('scripted', key, scene.objectives[index])
  return scene.untilOver(id)
}

export const linesOn = (repository: Repository, branch: string) =>
  repository.git('show', `${branch}:scripted-agent.md`).split('\n')

export const branchesOf = ({ git }: Repository) =>
  git('branch', '--format=%(refname:short)').split('\n').toSorted()

/** The four are shared out among so many machines. */
export function launchedAtOneMoment(machines: number): void {
  const where = machines === 1 ? 'on one machine' : `on ${machines} machines`
  test(`four objectives of a mission that are launched at one moment ${where} get branches of one mission`, async ({
    service,
  }) => {
    const setUp = { repository: true, instructions: pillars, parallel: true }
    await using scene = await service.scene(setUp)
    const { client, mission, objectives: four, repository } = scene
    const each = pillars.length / machines
    const gates: Gate[] = []
    for (let count = 0; count < machines; count += 1) {
      const { proxy } = await scene.machine({ max: each })
      for (let run = 0; run < each; run += 1) gates.push(proxy.hold('load-context'))
    }
    await scene.connected()

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
      launched.map(({ executionRequest: { id } }) => scene.untilOver(id)),
    )

    const expected = four.map(({ id, displayId }) =>
      id === first?.objectiveId ? missionBranch : `${missionBranch}-${displayId.split('.')[1]}`,
    )
    expect(runs.map(({ branch }) => branch)).toEqual(expected)
    expect(runs.map(({ outcome }) => outcome)).toEqual(four.map(() => 'delivered'))
    expect(branchesOf(repository)).toEqual([...expected, 'main'].toSorted())
    const { mission: now } = await client.call('getMission', { id: mission.id })
    expect(now.active_branch).toBe(missionBranch)
  })
}

/** Launches the objective, and resolves once its supervisor stands in the moment in which it is to be killed. */
export type Moment = (scene: Scene, machine: Machine) => Promise<{ branches: readonly string[] }>

export function leftToTheNextTry(title: string, reach: Moment): void {
  test(title, async ({ service }) => {
    await using scene = await service.scene({ repository: true })
    const machine = await scene.machine()
    const { branches } = await reach(scene, machine)
    expect(branchesOf(scene.repository)).toEqual(branches)

    process.kill(await machine.supervisor(), 'SIGKILL')

    const again = await scene.untilEnded()
    expect(again).toMatchObject({ outcome: 'delivered', attempt: 2, branch: missionBranch })
    expect(branchesOf(scene.repository)).toEqual([missionBranch, 'main'])
  })
}

const ageOf = ({ createdAt, id }: ExecutionRequest) => `${createdAt} ${id}`

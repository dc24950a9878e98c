import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Objective } from '@svc/contracts/objective'
import type { ProjectResource } from '@svc/contracts/project'
import { missionWith } from '@svc/domain/testing/plans'
import { expect } from 'vitest'
import type { Machine } from './support/machine.ts'
import type { Repository } from '@svc/testing/temporary'
import { type Scene, resourceKey } from './support/scene.ts'
import { test } from './support/test.ts'
import { until } from './support/until.ts'

export const other = 'other'
const agent = 'commits-in-others'

interface World {
  scene: Scene
  machine: Machine
  /** What the machine has for the resource `other`. */
  second: Repository
}

/** Its project has two repositories, both on its machine, which is not started before `start`. */
export async function openWorld(
  opened: AsyncDisposableStack,
  service: { scene: (setUp: object) => Promise<Scene> },
  instructions: readonly string[],
): Promise<World> {
  const elsewhere = [{ resourceKey: other }]
  const setUp = { repository: true, elsewhere, instructions, parallel: true }
  const scene = opened.use(await service.scene(setUp))
  const second = scene.repositoryAt(other)
  const machine = await scene.machine()
  machine.link(scene.project, other, second.path)
  await scene.connected()
  return { scene, machine, second }
}

export const launch = async ({ scene }: World, { id }: Objective, key = resourceKey) =>
  (await scene.client.call('launchObjective', { id, agent, resourceKey: key })).executionRequest

const keyOf = ({ displayId }: Objective) => displayId.split('.')[1] ?? ''

/** What its agent wrote down, once it has committed. */
async function recorded({ machine }: World, objective: Objective) {
  const folder = join(machine.home.folder, 'recorded', keyOf(objective))
  await until('its agent has committed', () => existsSync(join(folder, 'done')))
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  const context: { projectResources: ProjectResource[] } = JSON.parse(read('context.json'))
  const environment: ProjectResource[] = JSON.parse(read('environment.json'))
  return { briefing: read('briefing.md'), context: context.projectResources, environment }
}

export function letGoOn({ machine }: World): void {
  const folder = join(machine.home.folder, 'recorded')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'go-on'), '')
}

const pathIn = (resources: readonly ProjectResource[]) =>
  resources.find((one) => one.resourceKey === other)?.path

const worktreeOf = ({ scene, machine }: World, key: string, branch: string) =>
  join(realpathSync(machine.home.worktrees), scene.project.slug, key, branch)

async function secondMission({ scene: { client, project } }: World): Promise<Objective> {
  const { mission } = await missionWith(client, ['Pave it.'], { project, title: 'Pave the road' })
  return mission.objectives[0]
}

/** One objective, or two of its mission together with one of a second mission. */
export function commitInBoth(title: string, { objectives: count }: { objectives: 1 | 3 }): void {
  test(title, async ({ service }) => {
    await using opened = new AsyncDisposableStack()
    const world = await openWorld(opened, service, ['Build one.', 'Build two.'])
    const { scene, second } = world
    const { client } = scene
    const ofMission = scene.objectives.slice(0, count === 3 ? 2 : 1)
    const siblings = ofMission.slice(1)
    const ofSecondMission = count === 3 ? [await secondMission(world)] : []
    const of = [...ofMission, ...ofSecondMission]
    const before = second.git('rev-parse', 'main')

    const runs = []
    for (const objective of of) runs.push(await launch(world, objective))
    const known = await Promise.all(of.map((objective) => recorded(world, objective)))
    letGoOn(world)
    const ended = await Promise.all(runs.map(({ id }) => scene.untilOver(id)))

    expect(ended.map(({ outcome }) => outcome)).toEqual(of.map(() => 'delivered'))
    const branches = [
      'build-the-bridge-1',
      ...siblings.map((objective) => `build-the-bridge-1-${keyOf(objective)}`),
      ...ofSecondMission.map(() => 'pave-the-road-2'),
    ]
    expect(ended.map(({ branch }) => branch)).toEqual(branches)
    for (const [index, branch] of branches.entries()) {
      const path = worktreeOf(world, other, branch)
      const { briefing, context, environment } = known[index]!
      expect(briefing).toContain(`- other (rw): ${path}, on branch ${branch}: commit there`)
      expect([pathIn(context), pathIn(environment)]).toEqual([path, path])
      // one that was cut a moment later may begin with what the mission's branch had by then
      expect(second.git('log', '-1', '--format=%s', branch)).toBe(`Work of ${keyOf(of[index]!)}`)
    }
    expect(second.git('log', '--format=%s', 'main..build-the-bridge-1').split('\n')).toHaveLength(1)
    // nobody worked in the checkout of the person
    expect(second.git('rev-parse', 'main')).toBe(before)
    expect(second.git('symbolic-ref', '--short', 'HEAD')).toBe('main')
    expect(second.git('status', '--porcelain')).toBe('')

    const missionIds = [...new Set(of.map(({ missionId }) => missionId))]
    const answers = await Promise.all(
      missionIds.map((missionId) => client.call('listBranches', { missionId })),
    )
    const recordedBranches = answers.flatMap((answer) => answer.branches)
    const lines = recordedBranches.map(({ resourceKey: key, branch, objective, lastSha }) =>
      [key, branch, objective, lastSha].join(' '),
    )
    const expected = [scene.repository, second].flatMap((repository, at) =>
      branches.map((branch, index) =>
        [
          at === 0 ? resourceKey : other,
          branch,
          siblings.find((objective) => objective === of[index])?.displayId ?? null,
          repository.git('rev-parse', branch),
        ].join(' '),
      ),
    )
    expect(lines.toSorted()).toEqual(expected.toSorted())
    for (const [index, { id }] of runs.entries()) {
      const { diff } = await client.call('getRunDiff', { id })
      const file = `${other}:${keyOf(of[index]!)}.md`
      expect(diff?.stat).toEqual([
        { filePath: 'scripted-agent.md', additions: 1, deletions: 0 },
        { filePath: file, additions: 1, deletions: 0 },
      ])
      expect(diff?.patch).toContain(`diff --git a/${file} b/${file}`)
    }
    const { fileChanges } = await client.call('listFileChanges', { id: scene.mission.id })
    const observed = fileChanges.filter(({ filePath }) => filePath.startsWith(`${other}:`))
    expect(
      observed.map(({ filePath, vcsStatus }) => `${filePath} ${vcsStatus}`).toSorted(),
    ).toEqual(ofMission.map((objective) => `${other}:${keyOf(objective)}.md added`).toSorted())
  })
}

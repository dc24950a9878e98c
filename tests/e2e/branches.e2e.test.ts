import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { verifies } from '@svc/testing/verifies'
import { expect } from 'vitest'
import { carry, linesOn, missionBranch } from './branches.ts'
import { createRepository } from './support/repository.ts'
import { resourceKey } from './support/scene.ts'
import { temporaryFolder } from './support/temporary.ts'
import { test } from './support/test.ts'

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

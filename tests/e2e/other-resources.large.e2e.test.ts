import { describe, expect } from 'vitest'
import { branchesOf } from './branches.ts'
import { commitInBoth, launch, letGoOn, openWorld, other } from './other-resources.ts'
import { test } from './support/test.ts'

describe('runs that commit in a second resource', () => {
  commitInBoth('have a branch and a worktree of it', { objectives: 1 })

  commitInBoth(
    'of two missions, and two of one mission side by side, each have a branch and a worktree of it',
    { objectives: 3 },
  )

  test('whose supervisor is killed between both repositories leave both to the next try', async ({
    service,
  }) => {
    await using opened = new AsyncDisposableStack()
    const world = await openWorld(opened, service, ['Build.'])
    const { scene, machine, second } = world
    const named = machine.proxy.hold('/branches')
    letGoOn(world)
    const { id } = await launch(world, scene.objective)
    await named.arrived
    const asked = machine.proxy.hold('/branches')
    named.open()
    expect((await asked.arrived).body).toContain(other)
    expect(branchesOf(scene.repository)).toEqual(['build-the-bridge-1', 'main'])

    process.kill(await machine.supervisor(), 'SIGKILL')

    const again = await scene.untilOver(id)
    expect(again).toMatchObject({ outcome: 'delivered', attempt: 2, branch: 'build-the-bridge-1' })
    expect(again.warnings).toEqual([])
    for (const repository of [scene.repository, second]) {
      expect(branchesOf(repository)).toEqual(['build-the-bridge-1', 'main'])
      expect(
        repository.git('log', '--oneline', 'main..build-the-bridge-1').split('\n'),
      ).toHaveLength(1)
    }
  })
})

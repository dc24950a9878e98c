import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { branch, openScene, test } from './scene.ts'
import { runInTest } from '@svc/cli/testing/cli'

describe('a review', () => {
  test('shows what lies uncommitted in the worktree', async ({ place }) => {
    using scene = await openScene(place)
    const { worktree } = await scene.work()
    writeFileSync(join(worktree, 'left.txt'), 'x')
    const { stdout } = await scene.svc('review', scene.mission.displayId)
    expect(stdout).toContain(`Not in the branch: uncommitted changes in ${worktree} (left.txt).`)
  })

  test('of a mission over two repositories has a section for each', async ({ place }) => {
    using scene = await openScene(place)
    const { displayId } = scene.mission
    await scene.work()
    const { repository: api } = await scene.work({ resourceKey: 'api', file: 'route.ts' })
    const { stdout } = await scene.svc('review', displayId)
    expect(stdout).toMatch(
      /Resource api\n[^]*\+\+\+ b\/route\.ts[^]*Resource web\n[^]*\+\+\+ b\/switch\.ts/,
    )
    const one = await scene.svc('review', displayId, '--resource', 'api')
    expect(one.stdout).not.toContain('switch.ts')

    const unnamed = await scene.svc('review', displayId, '--merge')
    expect(unnamed).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('name one with --resource'),
    })
    const named = await scene.svc('review', displayId, '--merge', '--resource', 'api')
    expect(named.code).toBe(0)
    expect(existsSync(join(api.path, 'route.ts'))).toBe(true)
    expect(existsSync(join(scene.web.path, 'switch.ts'))).toBe(false)
  })

  test('is not about a repository in which the run had a branch and changed nothing', async ({
    place,
  }) => {
    using scene = await openScene(place)
    const { displayId } = scene.mission
    await scene.work({ alsoIn: { resourceKey: 'api' } })
    const { stdout } = await scene.svc('review', displayId)
    expect(stdout).toContain('+++ b/switch.ts')
    expect(stdout).not.toContain('Resource api')
    expect(await scene.svc('review', displayId, '--merge')).toMatchObject({ code: 0 })
    expect(existsSync(join(scene.web.path, 'switch.ts'))).toBe(true)
  })

  test('of an objective has what it did in another resource, on a branch of whatever name', async ({
    place,
  }) => {
    using scene = await openScene(place)
    const { svc, mission } = scene
    const one = await scene.work({
      alsoIn: { resourceKey: 'api', branch: `${branch}-2`, file: 'route.ts' },
    })
    const { displayId } = one.objective
    const { stdout } = await svc('review', displayId)
    expect(stdout).toMatch(
      /Resource api\n[^]*\+\+\+ b\/route\.ts[^]*Resource web\n[^]*\+\+\+ b\/switch\.ts/,
    )
    const { executionRequests } = await scene.alice.call('listExecutionRequests', {
      missionId: mission.id,
    })
    expect(executionRequests).toMatchObject([
      { branch, otherBranches: [{ resourceKey: 'api', branch: `${branch}-2` }] },
    ])
    const shown = await svc('runs', 'show', executionRequests[0]?.id ?? '')
    expect(shown.stdout).toContain(`${branch}-2 in api`)
  })

  test('has under a branch of another resource what was changed on it, and nothing else', async ({
    place,
  }) => {
    using scene = await openScene(place)
    const { svc, mission } = scene
    const own = 'beside-it'
    await scene.work({ alsoIn: { resourceKey: 'api', file: 'one.ts' } })
    await scene.work({
      branch: own,
      file: 'other-switch.ts',
      alsoIn: { resourceKey: 'api', branch: own, file: 'other.ts' },
    })
    const { stdout } = await svc('review', mission.displayId, '--resource', 'api', '--stat')
    const lists = stdout.split(/^branch /m).slice(1)
    const files = lists.map((text) => text.match(/^api:\S+/gm)?.join())
    expect(new Set(files)).toEqual(new Set(['api:one.ts', 'api:other.ts']))
  })
})

describe('a review', () => {
  test('is short with --stat, and for programs with --json', async ({ place }) => {
    using scene = await openScene(place)
    const { headSha } = await scene.work()
    const short = await scene.svc('review', scene.mission.displayId, '--stat')
    expect(short.stdout).toMatch(/ switch\.ts \| 1 \+\n 1 file changed/)
    expect(short.stdout).not.toContain('+++ b/switch.ts')
    const { stdout } = await scene.svc('review', scene.mission.displayId, '--json')
    expect(JSON.parse(stdout)).toMatchObject({
      mission: { displayId: scene.mission.displayId },
      delivery: { summary: 'Wrote switch.ts.' },
      branches: [
        {
          branch,
          tip: headSha,
          state: 'open',
          fileChanges: [{ filePath: 'switch.ts' }],
          diff: { source: 'git' },
        },
      ],
    })
  })

  test('offers a viewer nothing that a viewer may not', async ({ place }) => {
    using scene = await openScene(place, ['one'])
    const { mission, home } = scene
    await scene.work()
    const vera = place.world.vera
    const env = {
      SVC_BACKEND_URL: place.baseUrl,
      SVC_USER_TOKEN: vera.token,
      SVC_RUNNER_HOME: home.folder,
    }
    const id = mission.displayId
    const overview = await runInTest(env, 'missions', 'show', id)
    expect(overview.code).toBe(0)
    expect(overview.stdout).toContain(`svc review ${id}\n`)
    expect(overview.stdout).not.toContain('svc missions move')
    const review = await runInTest(env, 'review', id)
    expect(review.stdout).toContain(`svc review ${id} --merge\n`)
    expect(review.stdout).not.toMatch(/--accept|--changes/)
  })
})

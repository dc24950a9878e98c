import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { branch, openScene, stateOf, test } from './scene.ts'

describe('recorded branches', () => {
  test('are listed with where they are, whether they are merged, and what keeps them', async ({
    place,
  }) => {
    using scene = await openScene(place)
    const { svc, mission } = scene
    const { worktree, headSha } = await scene.work()
    const copy = scene.repositoryAt('copy')
    const elsewhere = { repository: copy, runner: await scene.own('box') }
    await scene.work({ elsewhere, resourceKey: 'api' })
    const { stdout } = await svc('branches', 'list', mission.displayId)
    const [, api, web] = stdout.trimEnd().split('\n')
    expect(api).toMatch(/ api .* unknown +on runner box/)
    expect(web).toContain(` web       ${branch}  ${headSha.slice(0, 12)}  open `)
    expect(web).toContain(`here, in worktree ${worktree}`)
    expect(web).toContain('it has commits that are neither merged nor pushed')

    const all = await svc('branches', 'list', '--json')
    expect(JSON.parse(all.stdout).branches).toContainEqual(
      expect.objectContaining({ mission: mission.displayId, worktree, state: 'open' }),
    )
  })

  test('of the worktrees of this machine stand in the status of its runner', async ({ place }) => {
    using scene = await openScene(place)
    const { worktree } = await scene.work()
    writeFileSync(join(worktree, 'left.txt'), 'x')
    const { stdout } = await scene.svc('runner', 'status')
    const line = stdout.split('\n').find((one) => one.startsWith(`${scene.mission.displayId} `))
    expect(line).toMatch(
      new RegExp(`${branch} +${worktree} +it has uncommitted changes .left.txt.`),
    )
  })

  test('are removed once they are merged, with the worktree, and come back as printed', async ({
    place,
  }) => {
    using scene = await openScene(place)
    const { svc, mission, web } = scene
    const { worktree, headSha } = await scene.work()
    const before = stateOf(web)
    expect(await svc('branches', 'remove', mission.displayId)).toMatchObject({
      code: 5,
      stderr: expect.stringMatching(/^branch_unmerged: .*--merge/),
    })
    expect(stateOf(web)).toEqual(before)

    web.git('merge', '--quiet', '--squash', branch)
    web.git('commit', '--quiet', '-m', 'All of it')
    const { code, stdout } = await svc('branches', 'remove', mission.displayId)
    expect(code).toBe(0)
    expect(stdout).toContain(`git -C ${web.path} branch ${branch} ${headSha}`)
    expect(web.git('branch', '--list', branch)).toBe('')
    expect(existsSync(worktree)).toBe(false)
    expect((await svc('branches', 'remove', mission.displayId)).code).toBe(4)
    const { stdout: listed } = await svc('branches', 'list', mission.displayId)
    expect(listed).toContain(`merged  not here; its work is in main of ${web.path}`)
  })
})

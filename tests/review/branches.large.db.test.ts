import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInTest } from '@svc/cli/testing/cli'
import { linkCheckout, unlinkCheckout } from '@svc/runner/files/resources'
import { describe, expect } from 'vitest'
import { branch, commitOn, openScene, stateOf, test, addOrigin } from './scene.ts'

describe('recorded branches', () => {
  test('of a checkout that is linked no more stand there too, and can be removed', async ({
    place,
  }) => {
    using scene = await openScene(place)
    const { svc, mission, project, home, web } = scene
    const { worktree, headSha } = await scene.work()
    unlinkCheckout(home, { projectId: project.id, resourceKey: 'web' })
    const { stdout } = await svc('runner', 'status', '--json')
    expect(JSON.parse(stdout).worktrees).toEqual([
      {
        mission: mission.displayId,
        resourceKey: 'web',
        branch,
        path: worktree,
        kept: 'it has commits that are neither merged nor pushed',
        needsHand: false,
      },
    ])
    const removed = await svc('branches', 'remove', branch, '--unmerged', '--yes')
    expect(removed).toMatchObject({ code: 0, stdout: expect.stringContaining(headSha) })
    expect(existsSync(worktree)).toBe(false)
    expect(web.git('branch', '--list', branch)).toBe('')
  })

  test('stand there while the service is away, and where Git refuses another repository', async ({
    place,
  }) => {
    using scene = await openScene(place)
    const { worktree } = await scene.work()
    const { repository } = await scene.work({ resourceKey: 'api' })
    writeFileSync(join(repository.path, '.git', 'HEAD'), 'broken')
    const env = { SVC_USER_TOKEN: 'x', SVC_RUNNER_HOME: scene.home.folder }
    const away = ['--url', 'http://127.0.0.1:9', 'runner', 'status', '--json']
    const { code, stdout, stderr } = await runInTest(env, ...away)
    expect(code).toBe(6)
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'unreachable' } })
    const listed = JSON.parse(stdout)
    expect(listed).toMatchObject({ runners: null })
    expect(listed.worktrees).toContainEqual(expect.objectContaining({ path: worktree, branch }))
    expect(listed.worktrees).toContainEqual(
      expect.objectContaining({
        path: repository.path,
        kept: expect.stringContaining('Git does not list its worktrees'),
      }),
    )
  })

  test('are removed, and those that are not merged stay', async ({ place }) => {
    using scene = await openScene(place)
    const { svc, mission, web } = scene
    const { repository } = await scene.work({ resourceKey: 'api' })
    const { headSha } = await scene.work()
    repository.git('merge', '--quiet', branch)
    const { code, stdout, stderr } = await svc('branches', 'remove', mission.displayId)
    expect(code).toBe(0)
    expect(stdout).toContain(`Removed ${branch} from ${repository.path}`)
    expect(stderr).toMatch(/^It stays: .* is not merged into main/)
    expect(repository.git('branch', '--list', branch)).toBe('')
    expect(web.git('rev-parse', branch)).toBe(headSha)
  })

  test('of one name and several missions are removed one mission at a time', async ({ place }) => {
    using scene = await openScene(place)
    using other = await openScene(place)
    await scene.work()
    await other.work()
    const { id: projectId, slug: projectSlug } = other.project
    linkCheckout(scene.home, { projectId, projectSlug, resourceKey: 'web', path: other.web.path })
    const before = [stateOf(scene.web), stateOf(other.web)]
    const { code, stderr } = await scene.svc('branches', 'remove', branch, '--unmerged', '--yes')
    expect(code).toBe(2)
    expect(stderr).toContain(scene.mission.displayId)
    expect(stderr).toContain(other.mission.displayId)
    expect([stateOf(scene.web), stateOf(other.web)]).toEqual(before)
  })

  test('that went before one was refused are printed all the same', async ({ place }) => {
    using scene = await openScene(place)
    const { svc, mission } = scene
    const { worktree } = await scene.work()
    const { headSha, repository } = await scene.work({ resourceKey: 'api' })
    writeFileSync(join(worktree, 'left.txt'), 'x')
    const sure = [mission.displayId, '--unmerged', '--yes', '--json']
    const { code, stdout, stderr } = await svc('branches', 'remove', ...sure)
    expect(code).toBe(5)
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'dirty_checkout' } })
    expect(JSON.parse(stdout)).toMatchObject({
      removed: [
        {
          resourceKey: 'api',
          told: expect.stringContaining(`git -C ${repository.path} branch ${branch} ${headSha}`),
        },
      ],
    })
  })

  test('are listed and removed where Git refuses another repository', async ({ place }) => {
    using scene = await openScene(place)
    const { svc, mission } = scene
    const { worktree } = await scene.work()
    const { repository } = await scene.work({ resourceKey: 'api' })
    writeFileSync(join(repository.path, '.git', 'HEAD'), 'broken')
    const unreadable = expect.stringContaining('Git does not say its state: ')
    const { stdout } = await svc('branches', 'list', mission.displayId, '--json')
    expect(JSON.parse(stdout).branches).toMatchObject([
      { resourceKey: 'api', state: 'unknown', where: unreadable },
      { resourceKey: 'web', state: 'open', worktree },
    ])
    const sure = [mission.displayId, '--unmerged', '--yes', '--json']
    const removal = await svc('branches', 'remove', ...sure)
    expect(JSON.parse(removal.stdout)).toMatchObject({
      removed: [{ resourceKey: 'web' }],
      stays: [{ resourceKey: 'api', told: unreadable }],
    })
    const again = await svc('branches', 'remove', mission.displayId)
    expect(again.code).not.toBe(0)
  })

  test('are none of the person: one of the same name stays', async ({ place }) => {
    using scene = await openScene(place)
    const { svc, mission, web } = scene
    const copy = scene.repositoryAt('copy')
    commitOn(copy, 'theirs.txt', 'x')
    await scene.work({ elsewhere: { repository: copy, runner: await scene.own('box') } })
    web.git('branch', branch)
    const before = stateOf(web)
    const sure = [mission.displayId, '--unmerged', '--yes']
    expect(await svc('branches', 'remove', ...sure)).toMatchObject({
      code: 5,
      stderr: expect.stringMatching(/^branch_kept: /),
    })
    expect(stateOf(web)).toEqual(before)
    web.git('branch', 'own-idea')
    expect((await svc('branches', 'remove', 'own-idea')).code).toBe(4)
  })

  test('that are not merged are removed on a word that was given twice', async ({ place }) => {
    using scene = await openScene(place)
    const { svc, mission, web } = scene
    const origin = addOrigin(web, join(scene.folder, 'origin'))
    const { headSha } = await scene.work()
    web.git('push', '--quiet', 'origin', branch)
    const asked = await svc('branches', 'remove', branch, '--unmerged')
    expect(asked).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') })
    expect(web.git('rev-parse', branch)).toBe(headSha)
    const sure = [mission.displayId, '--unmerged', '--yes']
    expect((await svc('branches', 'remove', ...sure)).code).toBe(0)
    expect(web.git('branch', '--list', branch)).toBe('')
    expect(origin.git('rev-parse', branch)).toBe(headSha)
  })

  test('stay with what is uncommitted, and while a person is on them', async ({ place }) => {
    using scene = await openScene(place)
    const { svc, mission, web } = scene
    const { worktree } = await scene.work()
    writeFileSync(join(worktree, 'left.txt'), 'x')
    const sure = [mission.displayId, '--unmerged', '--yes']
    expect(await svc('branches', 'remove', ...sure)).toMatchObject({
      code: 5,
      stderr: expect.stringMatching(/^dirty_checkout: .*left\.txt/),
    })
    expect(existsSync(join(worktree, 'left.txt'))).toBe(true)

    web.git('-C', worktree, 'clean', '--quiet', '--force')
    expect((await svc('review', mission.displayId, '--checkout')).code).toBe(0)
    expect(await svc('branches', 'remove', ...sure)).toMatchObject({
      code: 5,
      stderr: expect.stringContaining(`git -C ${web.path} switch main`),
    })
    expect(web.git('symbolic-ref', '--short', 'HEAD')).toBe(branch)
  })

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

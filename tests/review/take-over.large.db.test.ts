import { chmodSync, readFileSync, writeFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { limits } from '@svc/contracts/limits'
import { addOrigin, branch, commitOn, openScene, stateOf, test } from './scene.ts'
import { refused } from './refused.ts'
import { holdCheckout } from '@svc/runner/git/checkout-holders'
import { readProcess } from '@svc/process/process-identity'

describe('the branch is checked out', () => {
  test('never in a dirty one, and a worktree with uncommitted files stays', async ({ place }) => {
    using scene = await openScene(place)
    const { svc, mission, web } = scene
    const { worktree } = await scene.work()
    const mine = join(web.path, 'mine.txt')
    writeFileSync(mine, 'not committed\n')
    const before = stateOf(web)
    const dirty = await svc('review', mission.displayId, '--checkout')
    expect(dirty).toMatchObject(refused('dirty_checkout', 'mine.txt'))
    expect(stateOf(web)).toEqual(before)
    expect(readFileSync(mine, 'utf8')).toBe('not committed\n')

    web.git('add', 'mine.txt')
    web.git('commit', '--quiet', '-m', 'Mine')
    writeFileSync(join(worktree, 'left.txt'), 'x')
    const kept = stateOf(web)
    const left = await svc('review', mission.displayId, '--checkout')
    expect(left).toMatchObject(refused('dirty_checkout', worktree, 'left.txt'))
    expect(stateOf(web)).toEqual(kept)
  })

  test('in a clean checkout, for which the worktree of the runner makes room', async ({
    place,
  }) => {
    using scene = await openScene(place)
    const { svc, mission, web } = scene
    const { worktree } = await scene.work()
    const { code, stdout } = await svc('review', mission.displayId, '--checkout')
    expect(code).toBe(0)
    expect(stdout).toContain(`${web.path} is on ${branch}.`)
    expect(stdout).toContain(`Back: git -C ${web.path} switch main`)
    expect(web.git('symbolic-ref', '--short', 'HEAD')).toBe(branch)
    expect(existsSync(worktree)).toBe(false)
    const again = await svc('review', mission.displayId, '--checkout')
    expect(again.stdout).toContain('already')
  })

  test('never while a run is at work there', async ({ place }) => {
    using scene = await openScene(place)
    const { svc, mission, web } = scene
    const { worktree } = await scene.work()
    holdCheckout(worktree, holderOf(mission.id, scene.folder))
    const before = stateOf(web)
    const busy = await svc('review', mission.displayId, '--checkout')
    expect(busy).toMatchObject(refused('checkout_busy', worktree))
    expect(stateOf(web)).toEqual(before)
  })
})

describe('the branch stays where it is', () => {
  test('when Git does not switch: the worktree is there again', async ({ place }) => {
    using scene = await openScene(place)
    const { svc, mission, web } = scene
    await scene.work()
    writeFileSync(join(web.path, '.git', 'index.lock'), '')
    const before = stateOf(web)
    const answer = await svc('review', mission.displayId, '--checkout')
    expect(answer).toMatchObject(refused('not_switched', 'index.lock'))
    expect(stateOf(web)).toEqual(before)
    const { stdout } = await svc('runner', 'status')
    expect(stdout).toContain(`${mission.displayId}  `)
  })

  test('when a person has it in a worktree of their own', async ({ place }) => {
    using scene = await openScene(place)
    const { svc, mission, web } = scene
    const { worktree } = await scene.work()
    const own = join(scene.folder, 'own')
    web.git('worktree', 'move', worktree, own)
    const before = stateOf(web)
    const answer = await svc('review', mission.displayId, '--checkout')
    expect(answer).toMatchObject(refused('checkout_busy', own))
    expect(stateOf(web)).toEqual(before)
  })
})

test('a hook of the repository that fails is reported, and the branch is checked out', async ({
  place,
}) => {
  using scene = await openScene(place)
  const { svc, mission, web } = scene
  await scene.work()
  const hook = join(web.path, '.git', 'hooks', 'post-checkout')
  writeFileSync(hook, '#!/bin/sh\necho "no tools here" >&2\nexit 1\n')
  chmodSync(hook, 0o755)
  const { code, stdout } = await svc('review', mission.displayId, '--checkout')
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('no tools here') })
  expect(web.git('symbolic-ref', '--short', 'HEAD')).toBe(branch)
})

describe('the branch is merged', () => {
  test('next to what the base has got meanwhile, by a commit that is called by its name', async ({
    place,
  }) => {
    using scene = await openScene(place)
    const { svc, mission, web } = scene
    await scene.work()
    web.git('commit', '--quiet', '--allow-empty', '--message', 'Meanwhile')
    expect((await svc('review', mission.displayId, '--merge')).code).toBe(0)
    expect(web.git('log', '-1', '--format=%s')).toBe(`Merge branch '${branch}'`)
  })

  test('never again when it came in as one squashed commit', async ({ place }) => {
    using scene = await openScene(place)
    const { svc, mission, web } = scene
    await scene.work()
    web.git('merge', '--quiet', '--squash', branch)
    web.git('commit', '--quiet', '-m', 'All of it')
    const before = stateOf(web)
    const { stdout } = await svc('review', mission.displayId)
    expect(stdout).toMatch(/state +merged/)
    expect(stdout).toContain('+++ b/switch.ts')
    const { code, stdout: printed } = await svc('review', mission.displayId, '--merge')
    expect({ code, printed }).toEqual({ code: 0, printed: `${branch} is in main already.\n` })
    expect(stateOf(web)).toEqual(before)
  })

  test('nor when origin has it: what is left to do is done', async ({ place }) => {
    using scene = await openScene(place)
    const { svc, mission, web } = scene
    addOrigin(web, join(scene.folder, 'origin'))
    await scene.work()
    web.git('merge', '--quiet', '--squash', branch)
    web.git('commit', '--quiet', '-m', 'All of it')
    web.git('push', '--quiet', 'origin', 'main')
    web.git('reset', '--quiet', '--hard', 'HEAD~1')
    const before = stateOf(web)
    const taken = await svc('review', mission.displayId, '--merge', '--push', '--accept')
    expect(taken).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('in origin/main already'),
    })
    expect(stateOf(web)).toEqual(before)
    expect((await scene.alice.mission(mission)).phase).toBe('complete')
  })

  test('not where Git neither merges nor switches back: where the checkout is left is printed', async ({
    place,
  }) => {
    using scene = await openScene(place)
    const { svc, mission, web } = scene
    await scene.work()
    web.git('switch', '--quiet', '--create', 'own-idea')
    const hook = join(web.path, '.git', 'hooks', 'post-checkout')
    writeFileSync(hook, '#!/bin/sh\ntouch .git/index.lock\n')
    chmodSync(hook, 0o755)
    const answer = await svc('review', mission.displayId, '--merge')
    expect(answer).toMatchObject(refused('not_merged', `${web.path} is left on main`))
    expect(answer.stderr).not.toContain('Nothing was changed')
  })

  test('of an objective alone, which has its own', async ({ place }) => {
    using scene = await openScene(place)
    const { svc, mission, web } = scene
    await scene.work()
    const { objective, headSha } = await scene.work({ branch: `${branch}-own`, file: 'own.ts' })
    const { stdout } = await svc('review', objective.displayId)
    expect(stdout).toContain('+++ b/own.ts')
    expect(stdout).not.toContain('switch.ts')
    expect((await svc('review', objective.displayId, '--merge')).code).toBe(0)
    expect(web.git('rev-parse', 'main')).toBe(headSha)
    expect((await svc('review', mission.displayId)).stdout).toMatch(/state +not merged/)
  })

  test('by hand as it is at origin, where the branch is there alone', async ({ place }) => {
    using scene = await openScene(place)
    const { svc, mission, web } = scene
    addOrigin(web, join(scene.folder, 'origin'))
    const { worktree } = await scene.work()
    web.git('push', '--quiet', 'origin', branch)
    web.git('worktree', 'remove', worktree)
    web.git('branch', '--quiet', '-D', branch)
    commitOn(web, 'switch.ts', 'off\n')
    const answer = await svc('review', mission.displayId, '--merge')
    const byHand = `git -C ${web.path} merge origin/${branch}`
    expect(answer).toMatchObject(refused('merge_conflict', 'Nothing was changed', byHand))
  })

  test('not at all where both changed the same lines: they are named', async ({ place }) => {
    using scene = await openScene(place)
    const { svc, mission, web } = scene
    await scene.work()
    commitOn(web, 'switch.ts', 'off\n')
    web.git('switch', '--quiet', '--detach')
    const before = stateOf(web)
    const { code, stderr } = await svc('review', mission.displayId, '--merge', '--accept')
    expect(code).toBe(5)
    expect(stderr).toContain('merge_conflict:')
    expect(stderr).toContain('the same lines of switch.ts')
    expect(stderr).toContain(`git -C ${web.path} merge ${branch}`)
    expect(stateOf(web)).toEqual(before)
    expect((await scene.alice.mission(mission)).phase).toBe('review')
  })

  test('never into a checkout with uncommitted files', async ({ place }) => {
    using scene = await openScene(place)
    const { svc, mission, web } = scene
    await scene.work()
    writeFileSync(join(web.path, 'README.md'), 'mine\n')
    const before = stateOf(web)
    const answer = await svc('review', mission.displayId, '--merge')
    expect(answer).toMatchObject(refused('dirty_checkout', 'README.md'))
    expect(stateOf(web)).toEqual(before)
  })

  test('into the base, which is switched to first, and once', async ({ place }) => {
    using scene = await openScene(place)
    const { svc, mission, web } = scene
    const { headSha } = await scene.work()
    web.git('switch', '--quiet', '--create', 'own-idea')
    const { code, stdout } = await svc('review', mission.displayId, '--merge')
    expect(code).toBe(0)
    expect(stdout).toContain(
      `Switched ${web.path} from own-idea to main. Merged ${branch} into main`,
    )
    expect(web.git('rev-parse', 'main')).toBe(headSha)
    expect((await svc('review', mission.displayId)).stdout).toMatch(/state +merged/)
    const again = await svc('review', mission.displayId, '--merge')
    expect(again.stdout).toBe(`${branch} is in main already.\n`)
    await scene.alice.call('moveMission', { id: mission.id, statusId: 'complete' })
    const closed = await svc('review', mission.displayId, '--merge')
    expect(closed.stderr).toBe(`Clear up: svc branches remove ${mission.displayId}\n`)
  })
})

describe('the branch is pushed', () => {
  test('under its name, or its base after a merge', async ({ place }) => {
    using scene = await openScene(place)
    const { svc, mission, web } = scene
    const origin = addOrigin(web, join(scene.folder, 'origin'))
    const { headSha } = await scene.work()
    expect((await svc('review', mission.displayId, '--push')).code).toBe(0)
    expect(origin.git('rev-parse', branch)).toBe(headSha)
    expect(web.git('for-each-ref', '--format=%(upstream)', `refs/heads/${branch}`)).toBe('')
    const taken = await svc('review', mission.displayId, '--merge', '--push', '--accept')
    expect(taken).toMatchObject({ code: 0, stdout: expect.stringContaining('is accepted') })
    expect(taken.stderr).toContain(`not done: ${mission.objectives.at(-1)?.displayId}.`)
    expect(origin.git('rev-parse', 'main')).toBe(headSha)
    expect((await scene.alice.mission(mission)).phase).toBe('complete')
  })

  test('nowhere without a remote', async ({ place }) => {
    using scene = await openScene(place)
    await scene.work()
    const before = stateOf(scene.web)
    const answer = await scene.svc('review', scene.mission.displayId, '--push')
    expect(answer).toMatchObject(refused('no_remote', 'remote add origin'))
    expect(stateOf(scene.web)).toEqual(before)
  })

  test('not to a remote that refuses: its words are printed, and what was done stays', async ({
    place,
  }) => {
    using scene = await openScene(place)
    const { svc, mission, web } = scene
    const origin = addOrigin(web, join(scene.folder, 'origin'))
    const hook = join(origin.path, 'hooks', 'pre-receive')
    writeFileSync(hook, '#!/bin/sh\necho "main is protected" >&2\nexit 1\n')
    chmodSync(hook, 0o755)
    const { headSha } = await scene.work()
    const { code, stderr } = await svc('review', mission.displayId, '--merge', '--push', '--accept')
    expect(code).toBe(5)
    expect(stderr).toMatch(/^push_refused: .*main is protected/)
    expect(stderr).toContain('Done before, and stays: --merge.')
    expect(web.git('rev-parse', 'main')).toBe(headSha)
    expect(origin.git('rev-parse', 'main')).not.toBe(headSha)
    expect((await scene.alice.mission(mission)).phase).toBe('review')
  })

  test('never over what others have pushed', async ({ place }) => {
    using scene = await openScene(place)
    const { svc, mission, web } = scene
    const origin = addOrigin(web, join(scene.folder, 'origin'))
    await scene.work()
    const theirs = commitOn(web, 'theirs.txt', 'x')
    web.git('push', '--quiet', 'origin', `main:${branch}`)
    const answer = await svc('review', mission.displayId, '--push')
    expect(answer).toMatchObject(refused('push_refused', 'pull origin'))
    expect(origin.git('rev-parse', branch)).toBe(theirs)
  })
})

describe('a mission in review', () => {
  test('is not said to be finished while a branch of it is not merged', async ({ place }) => {
    using scene = await openScene(place, ['one'])
    const { svc, mission } = scene
    await scene.work()
    const open = `${branch} of web is not merged into main, as known here`
    const close = `svc missions move ${mission.displayId} complete`
    const overview = await svc('missions', 'show', mission.displayId)
    expect(overview.stdout).toContain(
      `read what was delivered; ${open}: review it\n  svc review ${mission.displayId}\n`,
    )
    expect(overview.stdout).toContain(`or close it without merging\n  ${close}\n`)
    const review = await svc('review', mission.displayId)
    expect(review.stdout).toContain(
      `or close it without merging\n  svc review ${mission.displayId} --accept\n`,
    )

    const merged = await svc('review', mission.displayId, '--merge')
    expect(merged.stderr).toBe(`Close it: svc review ${mission.displayId} --accept\n`)
    for (const printed of [
      await svc('missions', 'show', mission.displayId),
      await svc('review', mission.displayId),
    ]) {
      expect(printed.stdout).toContain('nothing is left: close it')
      expect(printed.stdout).not.toContain('without merging')
    }
    const { code, stderr } = await svc('missions', 'move', mission.displayId, 'complete')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })

  test('of several repositories is not finished once one of them is merged', async ({ place }) => {
    using scene = await openScene(place)
    const { svc, mission } = scene
    await scene.work()
    const copy = scene.repositoryAt('copy')
    const elsewhere = { repository: copy, runner: await scene.own('box') }
    await scene.work({ elsewhere, resourceKey: 'api' })
    const { stderr } = await svc('review', mission.displayId, '--resource', 'web', '--merge')
    expect(stderr).toBe(
      `Take it over: svc review ${mission.displayId} --resource api --merge\nOr close it without merging: svc review ${mission.displayId} --accept\n`,
    )
    const accepted = await svc('review', mission.displayId, '--resource', 'web', '--accept')
    expect(accepted.stderr).toContain(`${branch} of api is not merged into main, as known here`)
  })

  test('is closed without merging, and whoever does it is told so', async ({ place }) => {
    for (const words of [
      (ref: string) => ['missions', 'move', ref, 'complete'],
      (ref: string) => ['review', ref, '--accept'],
    ]) {
      using scene = await openScene(place, ['one'])
      const { svc, mission } = scene
      await scene.work()
      const { code, stderr } = await svc(...words(mission.displayId))
      expect({ code, stderr }).toEqual({
        code: 0,
        stderr: `warning: ${mission.displayId} is closed without merging: ${branch} of web is not merged into main, as known here.\nSee what is left: svc review ${mission.displayId}\n`,
      })
      expect((await scene.alice.mission(mission)).phase).toBe('complete')
    }
  })

  test('goes on with what is to be different, by the agent of its last run', async ({ place }) => {
    using scene = await openScene(place, ['one'])
    const { svc, mission, alice } = scene
    await scene.work()
    const later = 'Keep the old route.\nAnd test it.'
    const { code, stderr } = await svc('review', mission.displayId, '--changes', later)
    expect(code).toBe(0)
    const added = (await alice.mission(mission)).objectives.filter(
      ({ instruction }) => instruction === later,
    )
    expect(added).toMatchObject([
      { title: 'Keep the old route.', assigned_agent: 'scripted', resource_key: 'web' },
    ])
    expect(stderr).toBe(`Launch it: svc launch ${added[0]?.displayId}\n`)
    const more = await svc('review', mission.displayId, '--changes', 'And more.', '--launch')
    expect(more.code).toBe(0)
    expect((await alice.requestsOf(mission))[0]).toMatchObject({ status: 'queued' })
  })

  test('says which objective it has added where that cannot be launched', async ({ place }) => {
    using scene = await openScene(place, ['one'])
    const { svc, mission, web, alice } = scene
    addOrigin(web, join(scene.folder, 'origin'))
    await scene.work()
    await svc('missions', 'edit', mission.displayId, '--budget-runs', '1')
    const changes = ['--changes', 'Keep the old route.', '--launch']
    const added = async () =>
      (await alice.mission(mission)).objectives.find(({ state }) => state === 'draft')?.displayId
    const alone = await svc('review', mission.displayId, ...changes)
    const first = await added()
    expect(alone).toMatchObject(
      refused(
        'budget_exhausted',
        `Done before, and stays: --changes\\. ${first} is added: svc launch ${first} launches it\\.`,
      ),
    )
    const words = ['--json', 'review', mission.displayId, '--merge', '--push', ...changes]
    const { code, stdout, stderr } = await svc(...words)
    const second = await added()
    const { error } = JSON.parse(stderr) as { error: { code: string; message: string } }
    expect({ code, stdout, said: error.code }).toEqual({
      code: 5,
      stdout: '',
      said: 'budget_exhausted',
    })
    expect(error.message).toContain(
      `Done before, and stays: --merge, --push, --changes. ${second} is added: svc launch ${second} launches it.`,
    )
    expect(second).not.toBe(first)
  })

  test('says what was done before where nothing can be added', async ({ place }) => {
    using scene = await openScene(place, ['one'])
    await scene.work()
    const tooLong = 'x'.repeat(limits.instructionCharacters + 1)
    const words = ['review', scene.mission.displayId, '--merge', '--changes', tooLong]
    expect(await scene.svc(...words)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^validation_failed: .* Done before, and stays: --merge\.$/m),
    })
  })

  test('is not accepted before it is one', async ({ place }) => {
    using scene = await openScene(place)
    const { svc, mission } = scene
    expect(await svc('review', mission.displayId, '--accept')).toMatchObject(
      refused('not_in_review', `svc missions move ${mission.displayId} complete`),
    )
  })
})

test('a branch on another runner is shown as that uploaded it, and taken once it is at origin', async ({
  place,
}) => {
  using scene = await openScene(place)
  const { svc, mission, web } = scene
  const origin = addOrigin(web, join(scene.folder, 'origin'))
  const copy = scene.repositoryAt('copy')
  copy.git('remote', 'add', 'origin', origin.path)
  copy.git('fetch', '--quiet', 'origin')
  copy.git('reset', '--quiet', '--hard', 'origin/main')
  const elsewhere = { repository: copy, runner: await scene.own('box') }
  const { headSha } = await scene.work({ elsewhere })
  const before = stateOf(web)

  const shown = await svc('review', mission.displayId)
  expect(shown.stdout).toMatch(/where +on runner box/)
  expect(shown.stdout).toContain('what its last run uploaded')
  expect(shown.stdout).toContain('+++ b/switch.ts')
  expect(shown.stdout).toContain(`git push origin ${branch}`)
  for (const verb of ['--checkout', '--merge']) {
    expect(await svc('review', mission.displayId, verb)).toMatchObject(refused('branch_elsewhere'))
  }
  expect(stateOf(web)).toEqual(before)

  copy.git('push', '--quiet', 'origin', branch)
  expect((await svc('review', mission.displayId)).stdout).toContain(`fetch origin ${branch}`)
  expect((await svc('review', mission.displayId, '--checkout')).code).toBe(0)
  expect(web.git('rev-parse', 'HEAD')).toBe(headSha)
  expect(web.git('rev-parse', '--abbrev-ref', `${branch}@{upstream}`)).toBe(`origin/${branch}`)
})

/** The holder that the supervisor of a run would write: this process stands for the supervisor. */
const holderOf = (missionId: string, folder: string) => ({
  requestId: '0190c9a2-7b1e-7c4e-9d55-3f1f6f3a2b05',
  generation: 1,
  missionId,
  objectiveId: missionId,
  createdAt: '2026-11-01T10:00:00.000Z',
  branch,
  runFolder: folder,
  supervisor: { ...readProcess(process.pid)! },
})

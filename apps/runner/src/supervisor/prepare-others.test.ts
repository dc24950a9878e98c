import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Sibling } from '@svc/contracts/assignment'
import { describe, expect, test } from 'vitest'
import { freeCheckout, readHolders } from '../git/checkout-holders.ts'
import type { Run } from '../run/run.ts'
import { noAnswer } from '../testing/contract-service.ts'
import {
  never,
  openProject,
  branchIn,
  inPlace,
  worked,
  recordOf,
  branchesIn,
} from '../testing/other-resources.ts'
import { commit, missionBranch } from '../testing/prepared.ts'
import { gitIn } from '@svc/testing/temporary'
import { prepareDirectory } from './prepare-directory.ts'

const own = `${missionBranch}-k7qd`

const siblingOf = (run: Run, changes: Partial<Sibling> = {}): Sibling => {
  const { id, objectiveId, resourceKey } = run.order.assignment.executionRequest
  const createdAt = '2026-11-01T09:00:00.000Z'
  const known = { requestId: id, objectiveId, resourceKey, branch: null, alsoIn: [], createdAt }
  return { ...known, ...changes }
}

describe('a run', () => {
  test(
    'has a worktree of each resource that it may write to and that is here',
    { tags: 'large' },
    async () => {
      await using project = await openProject()
      const { checkouts, worktree } = project
      const run = project.run()
      const { prepared, held, otherGitFolders, unavailable } = await prepareDirectory(run, never)
      const at = gitIn(checkouts.api, 'rev-parse', 'main')
      expect(prepared).toMatchObject({ workingDirectory: worktree('web'), warnings: [] })
      expect(prepared.others).toEqual([
        {
          resourceKey: 'api',
          workingDirectory: worktree('api'),
          branch: missionBranch,
          missionBranch,
          startSha: at,
          baseSha: at,
          checkout: 'worktree',
        },
      ])
      expect(branchIn(worktree('api'))).toBe(missionBranch)
      expect(held.map(({ checkout }) => checkout)).toEqual([worktree('web'), worktree('api')])
      for (const { checkout } of held) {
        expect(readHolders(checkout)).toMatchObject([{ requestId: run.requestId }])
      }
      // also what is of a worktree alone: a sandbox may let it write to the folder around that, and not to it
      expect(otherGitFolders).toEqual([
        gitIn(worktree('web'), 'rev-parse', '--absolute-git-dir'),
        join(checkouts.api, '.git'),
        gitIn(worktree('api'), 'rev-parse', '--absolute-git-dir'),
      ])
      expect([...unavailable]).toEqual([])
    },
  )

  test(
    'starts without one that a person has changes in, and says why',
    { tags: 'large' },
    async () => {
      await using project = await openProject()
      const { api } = project.checkouts
      gitIn(api, 'switch', '--quiet', '--create', missionBranch)
      writeFileSync(join(api, 'README.md'), 'mine\n')
      const sha = gitIn(api, 'rev-parse', 'HEAD')
      project.service.answer('reserveBranch', ({ resourceKey, wanted }) => {
        const { branches, executionRequest } = run.order.assignment
        const { runnerId } = executionRequest
        const known = { branch: missionBranch, startSha: sha, lastSha: sha, runnerLabel: 'laptop' }
        const mission = resourceKey === 'api' ? { ...known, runnerId } : null
        const reserved = wanted && { branch: missionBranch, runnerId }
        return { status: 200, json: { branches: { ...branches, mission }, reserved } }
      })
      const run = project.run()
      const { prepared, held, unavailable } = await prepareDirectory(run, never)
      const why = `Branch ${missionBranch} is checked out in resource api on laptop with changes that are not committed: commit or stash README.md, or switch to another branch there.`
      expect([...unavailable]).toEqual([['api', why]])
      expect(prepared).toMatchObject({
        workingDirectory: project.worktree('web'),
        warnings: [`Resource api is not available to this run: ${why}`],
        others: [],
      })
      expect(held).toHaveLength(1)
      expect(gitIn(api, 'status', '--porcelain')).toBe('M README.md')
      expect(readHolders(api)).toEqual([])
    },
  )

  test('on no resource has a working tree of none, and says why', async () => {
    await using project = await openProject()
    const run = project.run({ resourceKey: null })
    const { unavailable } = await prepareDirectory(run, never)
    const why = 'This run was launched on no resource, so that it has a working tree of none.'
    expect([...unavailable]).toEqual([
      ['api', why],
      ['web', why],
    ])
  })

  test(
    'that is stopped while it takes another is in none of them any more',
    { tags: 'large' },
    async () => {
      await using project = await openProject()
      project.service.answer('reserveBranch', ({ wanted }) =>
        wanted === null ? noAnswer : undefined,
      )
      const stop = new AbortController()
      const prepared = prepareDirectory(project.run(), stop.signal)
      await project.service.called('reserveBranch', 2)
      expect(readHolders(project.worktree('web'))).toHaveLength(1)
      stop.abort(new Error('stopped'))
      await expect(prepared).rejects.toThrow('stopped')
      expect(readHolders(project.worktree('web'))).toEqual([])
    },
  )

  test(
    'that goes on with an earlier one is on the branches of that',
    { tags: 'large' },
    async () => {
      await using project = await openProject()
      const { worktree } = project
      const first = project.run({ olderSiblings: 1 })
      const { prepared, held } = await prepareDirectory(first, never)
      expect(prepared.others).toMatchObject([{ branch: own }])
      commit(worktree('api', own), 'begun')
      const { missionId, objectiveId } = first.order.assignment.executionRequest
      const resume = { externalSessionId: null, prepared }
      const next = project.run({ missionId, objectiveId, generation: 2, more: () => ({ resume }) })

      for (const { checkout, holder } of held) freeCheckout(checkout, holder)
      const again = await prepareDirectory(next, never)

      expect(again.prepared).toMatchObject({ branch: own, others: prepared.others })
    },
  )
})

describe('where something else is in place of a worktree', () => {
  test(
    'of another resource, a run starts without that resource and says why',
    { tags: 'large' },
    async () => {
      await using project = await openProject()
      const path = project.worktree('api')
      mkdirSync(dirname(path), { recursive: true })
      inPlace(path)
      const { prepared, unavailable } = await prepareDirectory(project.run(), never)
      expect(prepared.others).toEqual([])
      expect([...unavailable]).toEqual([
        ['api', expect.stringContaining('something else is there')],
      ])
      expect(readFileSync(path, 'utf8')).toBe('no folder')
    },
  )
})

describe('two runs, each in a resource in which the other works in addition to its own', () => {
  test(
    'of one mission both start, the younger on branches of its own',
    { tags: 'large' },
    async () => {
      await using project = await openProject()
      const one = project.run()
      const { missionId, runnerId } = one.order.assignment.executionRequest
      // in both the older is the first to be given a name
      project.service.answer('reserveBranch', ({ wanted }) => {
        const { branches } = one.order.assignment
        const reserved = wanted && { branch: missionBranch, runnerId }
        return { status: 200, json: { branches, reserved } }
      })
      const other = project.run({
        missionId,
        resourceKey: 'api',
        more: () => ({ siblings: [siblingOf(one)] }),
      })
      const taken = await Promise.all([one, other].map((run) => prepareDirectory(run, never)))
      expect(taken.map(({ prepared }) => [prepared.branch, prepared.others[0]?.branch])).toEqual([
        [missionBranch, missionBranch],
        [own, own],
      ])
      expect(taken.map(({ prepared }) => prepared.warnings)).toEqual([[], []])
    },
  )
})

test(
  'a younger run leaves the mission’s branch to one that works there, and takes it where none does',
  { tags: 'large' },
  async () => {
    await using project = await openProject()
    const one = project.run()
    const { missionId } = one.order.assignment.executionRequest
    const prepareBeside = async (changes: Partial<Sibling>) => {
      const more = () => ({ siblings: [siblingOf(one, { branch: missionBranch, ...changes })] })
      const { prepared } = await prepareDirectory(project.run({ missionId, more }), never)
      return [prepared.branch, prepared.others[0]?.branch]
    }
    expect(await prepareBeside({ alsoIn: ['api'] })).toEqual([own, own])
    expect(await prepareBeside({ alsoIn: ['docs'] })).toEqual([`${own}-2`, missionBranch])
  },
)

describe('what a run was given in another resource', () => {
  test(
    'is taken away where it has changed nothing, and given to the next run under the same name',
    { tags: 'large' },
    async () => {
      await using project = await openProject()
      const { checkouts, worktree } = project
      const { run, prepared } = await worked(project, () => undefined)
      expect(branchesIn(checkouts.api)).toEqual(['main'])
      expect(existsSync(worktree('api'))).toBe(false)
      expect(branchesIn(checkouts.web)).toEqual([missionBranch, 'main'])

      commit(checkouts.api, 'meanwhile')
      recordOf(project, run, prepared)
      const { missionId } = run.order.assignment.executionRequest
      const again = await prepareDirectory(project.run({ missionId }), never)
      expect(again.prepared).toMatchObject({
        warnings: [],
        others: [{ branch: missionBranch, startSha: gitIn(checkouts.api, 'rev-parse', 'main') }],
      })
    },
  )
})

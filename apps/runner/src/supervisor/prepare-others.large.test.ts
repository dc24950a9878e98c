import { randomUUID } from 'node:crypto'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { limits } from '@svc/contracts/limits'
import { describe, expect, test } from 'vitest'
import { freeCheckout } from '../git/checkout-holders.ts'
import { refusal } from '../testing/contract-service.ts'
import {
  never,
  openProject,
  branchIn,
  inItsPlace,
  ofItsOwnResource,
  leftThere,
  staysWhereItHolds,
  reportsItsOwn,
  reportsTheOther,
  harms,
  recordOf,
  branchesIn,
} from '../testing/other-resources.ts'
import { commit, missionBranch } from '../testing/prepared.ts'
import { gitIn } from '@svc/testing/temporary'
import { closeRun } from './close-run.ts'
import { prepareDirectory } from './prepare-directory.ts'

describe('a run', () => {
  test('works in none of them where its project goes without worktrees', async () => {
    await using project = await openProject()
    const { checkouts } = project
    const { prepared } = await prepareDirectory(project.run({ useWorktrees: false }), never)
    expect(prepared).toMatchObject({ workingDirectory: checkouts.web, others: [] })
    expect([branchIn(checkouts.web), branchIn(checkouts.api)]).toEqual([missionBranch, 'main'])
  })

  test('sets aside what the mission has done in its own resource alone, where it was launched so', async () => {
    await using project = await openProject()
    const recordedIn = (checkout: string) => {
      const startSha = gitIn(checkout, 'rev-parse', 'main')
      gitIn(checkout, 'switch', '--quiet', '--create', missionBranch)
      const lastSha = commit(checkout, 'done before')
      gitIn(checkout, 'switch', '--quiet', 'main')
      return { branch: missionBranch, startSha, lastSha, runnerLabel: 'laptop' }
    }
    const { web, api } = project.checkouts
    const recorded = { web: recordedIn(web), api: recordedIn(api) }
    project.service.answer('reserveBranch', ({ resourceKey, wanted }) => {
      const { executionRequest, branches } = run.order.assignment
      const { runnerId } = executionRequest
      const mission = { ...recorded[resourceKey === 'api' ? 'api' : 'web'], runnerId }
      const reserved = wanted && { branch: `${missionBranch}-2`, runnerId }
      return { status: 200, json: { branches: { ...branches, mission }, reserved } }
    })
    const run = project.run({
      more: ({ branches, executionRequest: { runnerId } }) => {
        const mission = { ...recorded.web, runnerId: runnerId ?? randomUUID() }
        return { branches: { ...branches, mission, fromBase: true } }
      },
    })
    const { prepared } = await prepareDirectory(run, never)
    expect(prepared).toMatchObject({
      branch: `${missionBranch}-2`,
      others: [{ resourceKey: 'api', branch: missionBranch, baseSha: recorded.api.lastSha }],
    })
  })

  test('starts without one in whose repository a file cannot be written', async () => {
    await using project = await openProject()
    const info = join(project.checkouts.api, '.git', 'info')
    rmSync(info, { recursive: true, force: true })
    writeFileSync(info, 'no folder')
    const { prepared, unavailable } = await prepareDirectory(project.run(), never)
    expect(prepared.others).toEqual([])
    expect([...unavailable.keys()]).toEqual(['api'])
  })

  test('starts without one that its project has no more', async () => {
    await using project = await openProject()
    project.service.answer('reserveBranch', ({ wanted }) =>
      wanted === null ? refusal('not_found', 404) : undefined,
    )
    const { prepared, unavailable } = await prepareDirectory(project.run(), never)
    expect(prepared.others).toEqual([])
    expect([...unavailable.keys()]).toEqual(['api'])
  })

  test('has no more of them than the bound, and says so of each that it lacks', async () => {
    await using project = await openProject()
    const many = Array.from({ length: limits.otherResources + 1 }, (_, at) => `part-${at}`)
    const run = project.run({
      more: ({ resources }) => ({
        resources: many.map((resourceKey) => ({ ...resources[1]!, resourceKey })),
      }),
    })
    // what is checked out nowhere is refused at once, and counts
    for (const key of many) run.order.checkouts[key] = join(project.worktree('web'), 'nowhere')
    const { prepared, unavailable } = await prepareDirectory(run, never)
    expect([...unavailable.keys()].toSorted()).toEqual(many.toSorted())
    const last = many.toSorted().at(-1)
    const why = `A run has a working tree of ${limits.otherResources} resources in addition to its own at most`
    expect(unavailable.get(last ?? '')).toContain(why)
    expect([...unavailable.values()].filter((text) => text.startsWith(why))).toHaveLength(1)
    expect(prepared.others).toEqual([])
  })
})

describe('where something else is in place of a worktree', () => {
  ofItsOwnResource(inItsPlace)
})

describe('what a run changed is reported', () => {
  reportsItsOwn(harms)

  reportsTheOther(harms)
})

describe('two runs, each in a resource in which the other works in addition to its own', () => {
  test('of two missions both start', async () => {
    await using project = await openProject()
    const [one, other] = [project.run(), project.run({ resourceKey: 'api', title: 'Another' })]
    const taken = await Promise.all([one, other].map((run) => prepareDirectory(run, never)))
    expect(taken.map(({ prepared }) => [prepared.branch, prepared.others[0]?.branch])).toEqual([
      [missionBranch, missionBranch],
      ['another-7', 'another-7'],
    ])
    expect(taken.map(({ prepared }) => prepared.warnings)).toEqual([[], []])
  })
})

describe('what a run was given in another resource', () => {
  staysWhereItHolds(leftThere)

  test('stays where the next run is in it already', async () => {
    await using project = await openProject()
    const first = project.run()
    const { prepared, held } = await prepareDirectory(first, never)
    first.record({ step: 'prepared', ...prepared })
    for (const { checkout, holder } of held) freeCheckout(checkout, holder)
    recordOf(project, first, prepared)
    const { missionId } = first.order.assignment.executionRequest
    const next = await prepareDirectory(project.run({ missionId }), never)
    first.record({ step: 'reported', report: 'reportExited' })
    await closeRun(first)
    expect(next.held.map(({ checkout }) => existsSync(checkout))).toEqual([true, true])
    expect(branchesIn(project.checkouts.api)).toEqual([missionBranch, 'main'])
  })
})

import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { limits } from '@svc/contracts/limits'
import type { Assignment, Prepared, Sibling } from '@svc/contracts/assignment'
import { describe, expect, test } from 'vitest'
import { openHome } from '../files/home.ts'
import { freeCheckout, readHolders } from '../git/checkout-holders.ts'
import { LaunchFailure } from '../launch-failure.ts'
import { defaultTiming } from '../run/order.ts'
import { createRunFolder } from '../run/run-folder.ts'
import { type Run, openRun } from '../run/run.ts'
import { makeAssignment } from '../testing/assignment.ts'
import { noAnswer, openContractService, refusal } from '../testing/contract-service.ts'
import { commit, missionBranch, repository } from '../testing/prepared.ts'
import { gitIn, pipeIn, temporaryFolder } from '../testing/temporary.ts'
import { closeRun } from './close-run.ts'
import { finishRun } from './finish.ts'
import { prepareDirectory } from './prepare-directory.ts'

const log = { info: () => undefined, warn: () => undefined }
const never = new AbortController().signal
const own = `${missionBranch}-k7qd`

type Changes = Parameters<typeof makeAssignment>[0] & {
  more?: (assignment: Assignment) => Partial<Assignment>
}

/** A project with the resources `web`, `api` and `docs`, and `site`, which no checkout here is linked for. */
async function openProject() {
  const opened = new AsyncDisposableStack()
  const service = opened.use(await openContractService())
  const home = openHome(join(opened.use(temporaryFolder()).path, 'home'))
  const checkouts = {
    web: opened.use(repository()).path,
    api: opened.use(repository()).path,
    docs: opened.use(repository()).path,
  }
  const linked = { primary: false, state: 'connected', path: null } as const
  const resources: Assignment['resources'] = [
    { ...linked, resourceKey: 'web', permission: 'rw', primary: true },
    { ...linked, resourceKey: 'api', permission: 'rw' },
    { ...linked, resourceKey: 'docs', permission: 'ro' },
    { ...linked, resourceKey: 'site', permission: 'rw' },
  ]
  const run = (changes: Changes = {}): Run => {
    const made = { ...makeAssignment({ resourceKey: 'web', ...changes }), resources }
    const assignment = { ...made, ...changes.more?.(made) }
    service.queue(assignment)
    const order = {
      assignment,
      leaseToken: 'k1.1',
      agentToken: null,
      leaseSeconds: 60,
      heartbeatSeconds: 15,
      serviceUrl: service.url,
      home: home.folder,
      instanceId: randomUUID(),
      device: { fingerprint: 'a-machine', label: 'laptop', platform: 'linux', arch: 'x64' },
      bootId: 'a-boot',
      agent: null,
      checkouts,
      timing: defaultTiming,
    }
    return openRun(createRunFolder(home, order), {}, log)
  }
  const worktree = (key: string, branch = missionBranch) => join(home.worktrees, 'web', key, branch)
  const dispose = () => opened.disposeAsync()
  return { checkouts, service, run, worktree, [Symbol.asyncDispose]: dispose }
}

type Project = Awaited<ReturnType<typeof openProject>>

const siblingOf = (run: Run, changes: Partial<Sibling> = {}): Sibling => {
  const { id, objectiveId, resourceKey } = run.order.assignment.executionRequest
  const createdAt = '2026-11-01T09:00:00.000Z'
  const known = { requestId: id, objectiveId, resourceKey, branch: null, alsoIn: [], createdAt }
  return { ...known, ...changes }
}

const branchIn = (checkout: string) => gitIn(checkout, 'symbolic-ref', '--short', 'HEAD')

describe('a run', () => {
  test('has a worktree of each resource that it may write to and that is here', async () => {
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
    expect(otherGitFolders).toEqual([join(checkouts.api, '.git')])
    expect([...unavailable]).toEqual([])
  })

  test('works in none of them where its project goes without worktrees', async () => {
    await using project = await openProject()
    const { checkouts } = project
    const { prepared } = await prepareDirectory(project.run({ useWorktrees: false }), never)
    expect(prepared).toMatchObject({ workingDirectory: checkouts.web, others: [] })
    expect([branchIn(checkouts.web), branchIn(checkouts.api)]).toEqual([missionBranch, 'main'])
  })

  test('starts without one that a person has changes in, and says why', async () => {
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
  })

  test('sets aside what the mission has done in its own resource alone, where it was told to', async () => {
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
    const why = `A run has a working tree of ${limits.otherResources} resources beside its own at most`
    expect(unavailable.get(last ?? '')).toContain(why)
    expect([...unavailable.values()].filter((text) => text.startsWith(why))).toHaveLength(1)
    expect(prepared.others).toEqual([])
  })

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

  test('that is told to end while it takes another is in none of them any more', async () => {
    await using project = await openProject()
    project.service.answer('reserveBranch', ({ wanted }) =>
      wanted === null ? noAnswer : undefined,
    )
    const stop = new AbortController()
    const prepared = prepareDirectory(project.run(), stop.signal)
    await project.service.called('reserveBranch', 2)
    expect(readHolders(project.worktree('web'))).toHaveLength(1)
    stop.abort(new Error('told to end'))
    await expect(prepared).rejects.toThrow('told to end')
    expect(readHolders(project.worktree('web'))).toEqual([])
  })

  test('that goes on with an earlier one is on the branches of that', async () => {
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
  })
})

describe('where something else is in place of a worktree', () => {
  const inPlace = (path: string) => {
    rmSync(path, { recursive: true, force: true })
    writeFileSync(path, 'no folder')
  }
  const occupied = (path: string) =>
    `${path} is where the worktree of ${missionBranch} belongs, and something else is there: move it away and launch again.`

  test('of another resource, a run starts without that resource and says why', async () => {
    await using project = await openProject()
    const path = project.worktree('api')
    mkdirSync(dirname(path), { recursive: true })
    inPlace(path)
    const { prepared, unavailable } = await prepareDirectory(project.run(), never)
    expect(prepared.others).toEqual([])
    expect([...unavailable]).toEqual([['api', expect.stringContaining('something else is there')]])
    expect(readFileSync(path, 'utf8')).toBe('no folder')
  })

  test.for<[string, (path: string) => Disposable | void]>([
    ['a file', inPlace],
    ['a pipe for its .git', (path) => pipeIn(join(path, '.git'), 'gitdir: nowhere\n')],
  ])('of its own resource, %s, the run says what to do', async ([, put]) => {
    await using project = await openProject()
    const first = project.run()
    const { held } = await prepareDirectory(first, never)
    for (const { checkout, holder } of held) freeCheckout(checkout, holder)
    using _ = put(project.worktree('web')) ?? null
    const { missionId, runnerId } = first.order.assignment.executionRequest
    const sha = gitIn(project.checkouts.web, 'rev-parse', 'main')
    const of = { branch: missionBranch, startSha: sha, lastSha: sha, runnerLabel: 'laptop' }
    const more = ({ branches }: Assignment) => ({
      branches: { ...branches, mission: { ...of, runnerId: runnerId ?? randomUUID() } },
    })
    const prepared = prepareDirectory(project.run({ missionId, more }), never)
    const failed = await prepared.catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(LaunchFailure)
    expect(failed).toMatchObject({
      code: 'branch_conflict',
      message: occupied(project.worktree('web')),
    })
  })
})

describe('what a run changed is told', () => {
  const end = {
    exitCode: 0,
    signal: null,
    cause: 'agent',
    lastOutput: '',
    spellings: [],
  } as const

  /** A run that has committed in both its worktrees, and what it told of its changes after `harm`. */
  async function toldAfter(
    project: Project,
    harm: (path: string) => Disposable | void,
    key: string,
  ) {
    const run = project.run()
    const { prepared } = await prepareDirectory(run, never)
    run.record({ step: 'prepared', ...prepared })
    for (const one of ['web', 'api']) commit(project.worktree(one), `in ${one}`)
    using _ = harm(project.worktree(key)) ?? null
    await finishRun(run, end)
    await closeRun(run)
    const { body } = await project.service.called('replaceRunDiff')
    const stat = body['stat'] as { filePath: string }[]
    return { ...body, files: stat.map(({ filePath }) => filePath) }
  }

  const harms: [string, (path: string) => Disposable | void][] = [
    ['gone', (path) => rmSync(path, { recursive: true })],
    [
      'a file',
      (path) => {
        rmSync(path, { recursive: true })
        writeFileSync(path, 'no folder')
      },
    ],
    ['without .git but for a pipe', (path) => pipeIn(join(path, '.git'), 'gitdir: nowhere\n')],
  ]

  test.for(harms)('of its own resource where the other worktree is %s', async ([, harm]) => {
    await using project = await openProject()
    const told = await toldAfter(project, harm, 'api')
    expect(told).toMatchObject({ files: ['in web'], truncated: true, complete: false })
  })

  test.for(harms)('of the other resource where its own worktree is %s', async ([, harm]) => {
    await using project = await openProject()
    const told = await toldAfter(project, harm, 'web')
    expect(told).toMatchObject({ files: ['api:in api'], truncated: true, complete: false })
    expect(told).toMatchObject({
      headSha: gitIn(project.checkouts.web, 'rev-parse', missionBranch),
    })
  })
})

describe('two runs that are each in what the other works in beside its own', () => {
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

  test('of one mission both start, the younger on branches of its own', async () => {
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
  })
})

test('a younger run leaves the mission’s branch to one that works there, and takes it where none does', async () => {
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
})

describe('what a run was given in another resource', () => {
  /** A run that is over; `work` is what it did in its worktree of `api`. */
  async function worked(project: Project, work: (at: string) => void) {
    const run = project.run()
    const { prepared } = await prepareDirectory(run, never)
    run.record({ step: 'prepared', ...prepared })
    work(project.worktree('api'))
    run.record({ step: 'reported', report: 'reportExited' })
    await closeRun(run)
    return { run, prepared }
  }
  /** From now on the service tells of the branch that it had there. */
  function recordOf({ service }: Project, { order }: Run, { others }: Prepared): void {
    const { branches, executionRequest } = order.assignment
    const { runnerId } = executionRequest
    const [recorded] = others.map(({ branch, startSha }) => ({
      branch,
      startSha,
      lastSha: startSha,
      runnerId,
      runnerLabel: 'laptop',
    }))
    service.answer('reserveBranch', ({ resourceKey, wanted }) => {
      const mission = resourceKey === 'api' ? recorded : null
      const reserved = wanted && { branch: missionBranch, runnerId }
      return { status: 200, json: { branches: { ...branches, mission }, reserved } }
    })
  }
  const branchesIn = (checkout: string) =>
    gitIn(checkout, 'branch', '--format=%(refname:short)').split('\n').toSorted()

  test('is taken away where it has changed nothing, and given to the next run under the same name', async () => {
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
  })

  test.for<[string, (at: string) => void]>([
    ['a commit', (at) => void commit(at, 'done')],
    [
      'a commit that no branch has',
      (at) => {
        gitIn(at, 'switch', '--quiet', '--detach')
        commit(at, 'tried')
        gitIn(at, 'switch', '--quiet', missionBranch)
      },
    ],
    ['something that is not committed', (at) => writeFileSync(join(at, 'left'), 'x')],
  ])('stays where it holds %s', async ([, work]) => {
    await using project = await openProject()
    await worked(project, work)
    expect(branchesIn(project.checkouts.api)).toEqual([missionBranch, 'main'])
    expect(existsSync(project.worktree('api'))).toBe(true)
  })

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

import { randomUUID } from 'node:crypto'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Assignment, Prepared } from '@svc/contracts/assignment'
import { expect, test } from 'vitest'
import { openHome } from '../files/home.ts'
import { freeCheckout } from '../git/checkout-holders.ts'
import { LaunchFailure } from '../launch-failure.ts'
import { defaultTiming, logBytesBefore } from '../run/order.ts'
import { createRunFolder } from '../run/run-folder.ts'
import { type Run, openRun } from '../run/run.ts'
import { closeRun } from '../supervisor/close-run.ts'
import { finishRun } from '../supervisor/finish.ts'
import { prepareDirectory } from '../supervisor/prepare-directory.ts'
import { makeAssignment } from './assignment.ts'
import { openContractService } from './contract-service.ts'
import { commit, missionBranch, repository } from './prepared.ts'
import { gitIn, temporaryFolder } from '@svc/testing/temporary'
import { pipeIn } from './pipe-in.ts'

const log = { info: () => undefined, warn: () => undefined }

export const never = new AbortController().signal

type Changes = Parameters<typeof makeAssignment>[0] & {
  more?: (assignment: Assignment) => Partial<Assignment>
}

/** A project with the resources `web`, `api` and `docs`, and `site`, which no checkout here is linked for. */
export async function openProject() {
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
      logBytes: logBytesBefore,
      serviceUrl: service.url,
      home: home.folder,
      instanceId: randomUUID(),
      device: { fingerprint: 'a-machine', label: 'laptop', platform: 'linux', arch: 'x64' },
      bootId: 'a-boot',
      agent: null,
      maxRights: 'all' as const,
      checkouts,
      clones: {},
      ephemeral: false,
      timing: defaultTiming,
    }
    return openRun(createRunFolder(home, order), {}, log)
  }
  const worktree = (key: string, branch = missionBranch) => join(home.worktrees, 'web', key, branch)
  const dispose = () => opened.disposeAsync()
  return { checkouts, service, run, worktree, [Symbol.asyncDispose]: dispose }
}

type Project = Awaited<ReturnType<typeof openProject>>

export const branchIn = (checkout: string) => gitIn(checkout, 'symbolic-ref', '--short', 'HEAD')

export const inPlace = (path: string) => {
  rmSync(path, { recursive: true, force: true })
  writeFileSync(path, 'no folder')
}

export const inItsPlace: [string, (path: string) => Disposable | void][] = [
  ['a file', inPlace],
  ['a pipe for its .git', (path) => pipeIn(join(path, '.git'), 'gitdir: nowhere\n')],
]

export function ofItsOwnResource(
  rows: readonly [string, (path: string) => Disposable | void][],
): void {
  test.for(rows)('of its own resource, %s, the run says what to do', async ([, put]) => {
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
}

export const leftThere: [string, (at: string) => void][] = [
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
]

export function staysWhereItHolds(rows: readonly [string, (at: string) => void][]): void {
  test.for(rows)('stays where it holds %s', async ([, work]) => {
    await using project = await openProject()
    await worked(project, work)
    expect(branchesIn(project.checkouts.api)).toEqual([missionBranch, 'main'])
    expect(existsSync(project.worktree('api'))).toBe(true)
  })
}

export function reportsItsOwn(rows: readonly (typeof harms)[number][]): void {
  test.for(rows)('of its own resource where the other worktree is %s', async ([, harm]) => {
    await using project = await openProject()
    const reported = await reportedAfter(project, harm, 'api')
    expect(reported).toMatchObject({ files: ['in web'], truncated: true, complete: false })
  })
}

export function reportsTheOther(rows: readonly (typeof harms)[number][]): void {
  test.for(rows)('of the other resource where its own worktree is %s', async ([, harm]) => {
    await using project = await openProject()
    const reported = await reportedAfter(project, harm, 'web')
    expect(reported).toMatchObject({ files: ['api:in api'], truncated: true, complete: false })
    expect(reported).toMatchObject({
      headSha: gitIn(project.checkouts.web, 'rev-parse', missionBranch),
    })
  })
}

const occupied = (path: string) =>
  `${path} is where the worktree of ${missionBranch} belongs, and something else is there: move it away and launch again.`

const end = {
  exitCode: 0,
  signal: null,
  cause: 'agent',
  lastOutput: '',
  spellings: [],
} as const

/** A run that has committed in both its worktrees, and what it reported of its changes after `harm`. */
async function reportedAfter(
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
  await project.service.called('completeRunFiles')
  const { files, ...body } = project.service.changes()
  return { ...body, files: files.map(({ filePath }) => filePath) }
}

export const harms: [string, (path: string) => Disposable | void][] = [
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

/** A run that is over; `work` is what it did in its worktree of `api`. */
export async function worked(project: Project, work: (at: string) => void) {
  const run = project.run()
  const { prepared } = await prepareDirectory(run, never)
  run.record({ step: 'prepared', ...prepared })
  work(project.worktree('api'))
  run.record({ step: 'reported', report: 'reportExited' })
  await closeRun(run)
  return { run, prepared }
}

/** From now on the service names the branch that the run had there. */
export function recordOf({ service }: Project, { order }: Run, { others }: Prepared): void {
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

export const branchesIn = (checkout: string) =>
  gitIn(checkout, 'branch', '--format=%(refname:short)').split('\n').toSorted()

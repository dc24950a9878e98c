import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type CheckReport, pushCheck } from '@svc/contracts/check'
import { type BareOrigin, openBareOrigin } from '@svc/testing/bare-origin'
import { gitIn } from '@svc/testing/temporary'
import { describe, expect, test } from 'vitest'
import { trustSettings } from '../files/trust-file.ts'
import { makeAssignment } from '../testing/assignment.ts'
import { type RunnerWorld, openRunnerWorld } from '../testing/runner-world.ts'

const branch = 'add-a-greeting-7'
const git = 'git -c user.name=Agent -c user.email=agent@example.com'
const commit = `echo hello > hello.txt; git add .; ${git} commit --quiet -m Greet`

/** Queues a run on what this runner has not linked, and can clone. */
function queue(
  { service, home }: RunnerWorld,
  { url }: BareOrigin,
  wanted: Parameters<typeof makeAssignment>[0] = {},
) {
  const given = makeAssignment({ resourceKey: 'web', ...wanted })
  const assignment = {
    ...given,
    resources: given.resources.map((one) => ({ ...one, cloneUrl: url })),
  }
  service.queue(assignment)
  const { project, launchSettings: settings } = assignment
  const trusting = { service: service.url, projectId: project.id, projectSlug: project.slug }
  return {
    assignment,
    trust: (cloneUrls: Record<string, string>) =>
      trustSettings(home, { ...trusting, settings, cloneUrls }),
  }
}

/** Below a folder for each address. */
function clonesIn({ clones }: RunnerWorld['home']): string[] {
  const ofProject = join(clones, 'web')
  return readdirSync(ofProject).flatMap((address) => readdirSync(join(ofProject, address)))
}

function start(world: RunnerWorld, { env }: BareOrigin, pushSeconds = 0) {
  const timing = { interruptSeconds: 0.3, terminateSeconds: 0.3, pushSeconds }
  return world.start({ ephemeral: true, env: { ...process.env, ...env }, timing })
}

async function runIn(...given: Parameters<typeof start>): Promise<void> {
  const daemon = await start(...given)
  await daemon.done
}

/** A run whose agent has done that and waits, to be asked for its push as before a delivery. */
async function openWaiting(origin: BareOrigin, script: string) {
  const stack = new AsyncDisposableStack()
  const world = stack.use(
    await openRunnerWorld(`${script}; touch .svc/done; until [ -e .svc/end ]; do sleep 0.1; done`),
  )
  const { service, worktree } = world
  const { assignment, trust } = queue(world, origin)
  trust({ web: origin.url })
  const requestId = assignment.executionRequest.id
  let wanted: { attempt: number; names: string[] } | undefined
  const lease = { requestId, ok: true, leaseExpiresInSeconds: 3, attached: true }
  service.answer('heartbeatRunner', () => ({
    status: 200,
    json: {
      leases: [{ ...lease, outcome: 'running' }],
      directives: wanted ? [{ type: 'check', requestId, ...wanted }] : [],
      serverTime: 'now',
    },
  }))
  const daemon = await start(world, origin)
  const pause = () => new Promise((resolve) => setTimeout(resolve, 20))
  while (!existsSync(join(worktree, '.svc', 'done'))) await pause()
  return {
    git: (...args: string[]) => gitIn(worktree, ...args),
    async tryPush(attempt: number) {
      wanted = { attempt, names: [pushCheck] }
      for (;;) {
        const bodies = service.calls('reportCheck').map(({ body }) => body)
        const found = bodies.find((body) => body['attempt'] === attempt && body['report'])
        // the service has parsed it by its contract
        if (found) return (found['report'] as CheckReport).results.at(0)
        await pause()
      }
    },
    async end() {
      daemon.endRuns()
      await daemon.done
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

describe('an ephemeral runner', () => {
  test(
    'clones what its run works in, pushes what came of it, and ends',
    { tags: 'large' },
    async () => {
      using origin = openBareOrigin()
      await using world = await openRunnerWorld(commit)
      queue(world, origin).trust({ web: origin.url })
      await runIn(world, origin)
      const { service, home } = world
      expect(service.calls('reportExited')[0]?.body).toMatchObject({ exitCode: 0 })
      expect(service.calls('reportExited')[0]?.body['warnings']).toBeUndefined()
      expect(origin.git('show', `${branch}:hello.txt`)).toBe('hello')
      expect(service.calls('claimExecutionRequest')[0]?.body).toMatchObject({
        ephemeral: true,
        resources: [],
      })
      const [, prepared] = service.calls('reportLaunching')
      expect(prepared?.body['prepared']).toMatchObject({ branch, pushes: true })
      expect(clonesIn(home)).toEqual(['web'])
      // the next one is another machine for the service, also in this folder
      expect(existsSync(home.deviceFile)).toBe(false)
    },
  )

  test('ends where no launch waits', async () => {
    using origin = openBareOrigin()
    await using world = await openRunnerWorld(commit)
    world.service.answer('claimExecutionRequest', () => ({
      status: 200,
      json: {
        request: null,
        leaseSeconds: 3,
        heartbeatSeconds: 0.3,
        waited: true,
        nextPollSeconds: 0,
        directives: [],
        serverTime: 'now',
      },
    }))
    await runIn(world, origin)
    expect(world.service.calls('claimExecutionRequest')).toHaveLength(1)
    expect(world.service.calls('heartbeatRunner').at(-1)?.body).toMatchObject({ leaving: true })
  })

  test.each([
    ['nothing is trusted', undefined],
    ['another address is trusted', 'https://git.example.com/web.git'],
  ])('clones nothing where %s', { tags: 'large' }, async (_, trusted) => {
    using origin = openBareOrigin()
    await using world = await openRunnerWorld(commit)
    const { trust } = queue(world, origin)
    if (trusted !== undefined) trust({ web: trusted })
    await runIn(world, origin)
    expect(world.service.calls('reportFailed')[0]?.body).toMatchObject({
      code: 'launch_config_untrusted',
      message: expect.stringContaining(origin.url),
      next: { operation: 'trustLaunchSettings' },
    })
    expect(existsSync(world.home.clones)).toBe(false)
  })

  test(
    'gives a run back that it cannot clone for, with what Git said',
    { tags: 'large' },
    async () => {
      using origin = openBareOrigin()
      const gone = { ...origin, url: `${origin.url}-gone` }
      await using world = await openRunnerWorld(commit)
      queue(world, gone).trust({ web: gone.url })
      await runIn(world, origin)
      expect(world.service.calls('reportReleased')[0]?.body).toMatchObject({
        reason: 'network',
        detail: expect.stringContaining('could not be cloned'),
      })
      expect(clonesIn(world.home)).toEqual([])
    },
  )

  test('says of a branch that origin refuses why it is not there', { tags: 'large' }, async () => {
    using origin = openBareOrigin()
    origin.refuse('not on Fridays')
    await using world = await openRunnerWorld(commit)
    queue(world, origin).trust({ web: origin.url })
    await runIn(world, origin)
    expect(world.service.calls('reportExited')[0]?.body).toMatchObject({
      warnings: [expect.stringContaining('not on Fridays')],
    })
  })

  test('stays for as long as a push that was refused may be taken', { tags: 'large' }, async () => {
    using origin = openBareOrigin()
    origin.refuse('not on Fridays')
    await using world = await openRunnerWorld(commit)
    queue(world, origin).trust({ web: origin.url })
    const over = runIn(world, origin, 2)
    await world.reached('exited')
    origin.refuse()
    await over
    expect(world.service.calls('reportExited')[0]?.body['warnings']).toBeUndefined()
    expect(origin.git('show', `${branch}:hello.txt`)).toBe('hello')
  })

  test('finds at origin what one before it has pushed', { tags: 'large' }, async () => {
    using origin = openBareOrigin()
    await using first = await openRunnerWorld(commit)
    queue(first, origin).trust({ web: origin.url })
    await runIn(first, origin)
    const [startSha, lastSha] = [origin.git('rev-parse', 'main'), origin.git('rev-parse', branch)]
    await using second = await openRunnerWorld(
      `echo again >> hello.txt; ${git} commit --quiet -am Again`,
    )
    const runnerId = '0190a000-0000-7000-8000-0000000000ff'
    const mission = { branch, startSha, lastSha, runnerId, runnerLabel: 'a pod that is gone' }
    const { trust } = queue(second, origin, { activeBranch: branch, branches: { mission } })
    trust({ web: origin.url })
    await runIn(second, origin)
    expect(origin.git('show', `${branch}:hello.txt`)).toBe('hello\nagain')
    expect(origin.git('rev-parse', `${branch}~1`)).toBe(lastSha)
  })

  test(
    'pushes before a delivery, and tells the agent what origin said',
    { tags: 'large' },
    async () => {
      using origin = openBareOrigin()
      origin.refuse('not on Fridays')
      await using run = await openWaiting(origin, commit)
      const refused = await run.tryPush(1)
      expect(refused).toMatchObject({
        outcome: 'failed',
        output: expect.stringContaining('not on Fridays'),
      })
      origin.refuse()
      // nothing in the tree has changed, and it is tried again all the same
      expect(await run.tryPush(2)).toMatchObject({ outcome: 'passed' })
      expect(origin.git('show', `${branch}:hello.txt`)).toBe('hello')
      await run.end()
    },
  )

  test(
    'takes what its agent amends after that, and nothing that leaves out what was there before',
    { tags: 'large' },
    async () => {
      using origin = openBareOrigin()
      await using run = await openWaiting(origin, commit)
      expect(await run.tryPush(1)).toMatchObject({ outcome: 'passed' })
      run.git('commit', '--quiet', '--amend', '-m', 'Greet again')
      expect(await run.tryPush(2)).toMatchObject({ outcome: 'passed' })
      expect(origin.git('log', '-1', '--format=%s', branch)).toBe('Greet again')
      run.git('checkout', '--quiet', '--orphan', 'other')
      run.git('commit', '--quiet', '-m', 'All anew')
      run.git('branch', '--force', branch)
      run.git('switch', '--quiet', branch)
      expect(await run.tryPush(3)).toMatchObject({
        outcome: 'failed',
        output: expect.stringContaining('[rejected]'),
      })
      expect(origin.git('log', '-1', '--format=%s', branch)).toBe('Greet again')
      await run.end()
    },
  )

  test(
    'tells its agent once of files that it has not committed, and always of commits elsewhere',
    { tags: 'large' },
    async () => {
      using origin = openBareOrigin()
      await using run = await openWaiting(origin, `${commit}; touch notes.txt`)
      expect(await run.tryPush(1)).toMatchObject({
        outcome: 'failed',
        output: expect.stringMatching(/notes\.txt.*\n.*machine is gone/),
      })
      expect(await run.tryPush(2)).toMatchObject({ outcome: 'passed' })
      run.git('switch', '--quiet', '--create', 'aside')
      run.git('add', '.')
      run.git('commit', '--quiet', '-m', 'Notes')
      for (const attempt of [3, 4]) {
        expect(await run.tryPush(attempt)).toMatchObject({
          outcome: 'failed',
          output: expect.stringContaining('1 commit is on branch aside'),
        })
      }
      await run.end()
    },
  )

  test('clones anew where the address has changed', { tags: 'large' }, async () => {
    using before = openBareOrigin()
    using now = openBareOrigin()
    await using world = await openRunnerWorld(commit)
    for (const origin of [before, now]) {
      queue(world, origin, { title: origin === now ? 'Later' : 'First' }).trust({ web: origin.url })
      await runIn(world, origin)
    }
    expect(now.git('branch', '--list', 'later-7')).toContain('later-7')
    expect(before.git('branch', '--list', 'later-7')).toBe('')
  })
})

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type CheckReport, pushCheck } from '@svc/contracts/check'
import { type BareOrigin, openBareOrigin } from '@svc/testing/bare-origin'
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

async function runIn(world: RunnerWorld, { env }: BareOrigin, pushSeconds = 0): Promise<void> {
  const timing = { interruptSeconds: 0.3, terminateSeconds: 0.3, pushSeconds }
  await (
    await world.start({ ephemeral: true, env: { ...process.env, ...env }, timing })
  ).done
}

describe('an ephemeral runner', () => {
  test('clones what its run works in, pushes what came of it, and ends', async () => {
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
    expect(readdirSync(join(home.clones, 'web'))).toEqual(['web'])
    // the next one is another machine for the service, also in this folder
    expect(existsSync(home.deviceFile)).toBe(false)
  })

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
  })

  test.each([
    ['nothing is trusted', undefined],
    ['another address is trusted', 'https://git.example.com/web.git'],
  ])('clones nothing where %s', async (_, trusted) => {
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

  test('gives a run back that it cannot clone for, with what Git said', async () => {
    using origin = openBareOrigin()
    const gone = { ...origin, url: `${origin.url}-gone` }
    await using world = await openRunnerWorld(commit)
    queue(world, gone).trust({ web: gone.url })
    await runIn(world, origin)
    expect(world.service.calls('reportReleased')[0]?.body).toMatchObject({
      reason: 'network',
      detail: expect.stringContaining('could not be cloned'),
    })
    expect(readdirSync(join(world.home.clones, 'web'))).toEqual([])
  })

  test('says of a branch that origin refuses why it is not there', async () => {
    using origin = openBareOrigin()
    origin.refuse('not on Fridays')
    await using world = await openRunnerWorld(commit)
    queue(world, origin).trust({ web: origin.url })
    await runIn(world, origin)
    expect(world.service.calls('reportExited')[0]?.body).toMatchObject({
      warnings: [expect.stringContaining('not on Fridays')],
    })
  })

  test('stays for as long as a push that was refused may be taken', async () => {
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

  test('finds at origin what one before it has pushed', async () => {
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

  test('pushes before a delivery, and tells the agent what origin said', async () => {
    using origin = openBareOrigin()
    origin.refuse('not on Fridays')
    await using world = await openRunnerWorld(
      `${commit}; touch .svc/committed; until [ -e .svc/end ]; do sleep 0.1; done`,
    )
    const { assignment, trust } = queue(world, origin)
    trust({ web: origin.url })
    const requestId = assignment.executionRequest.id
    let wanted: { attempt: number; names: string[] } | undefined
    world.service.answer('heartbeatRunner', () => ({
      status: 200,
      json: {
        leases: [
          { requestId, ok: true, leaseExpiresInSeconds: 3, attached: true, outcome: 'running' },
        ],
        directives: wanted ? [{ type: 'check', requestId, ...wanted }] : [],
        serverTime: 'now',
      },
    }))
    const daemon = await world.start({ ephemeral: true, env: { ...process.env, ...origin.env } })
    const reported = async (attempt: number): Promise<CheckReport> => {
      for (;;) {
        const bodies = world.service.calls('reportCheck').map(({ body }) => body)
        const found = bodies.find((body) => body['attempt'] === attempt && body['report'])
        // the service has parsed it by its contract
        if (found) return found['report'] as CheckReport
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    }
    while (!existsSync(join(world.worktree, '.svc', 'committed'))) {
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    wanted = { attempt: 1, names: [pushCheck] }
    const [refused] = (await reported(1)).results
    expect(refused).toMatchObject({
      name: pushCheck,
      outcome: 'failed',
      output: expect.stringContaining('not on Fridays'),
    })
    origin.refuse()
    wanted = { attempt: 2, names: [pushCheck] }
    // nothing in the tree has changed, and it is tried again all the same
    expect((await reported(2)).results).toMatchObject([{ outcome: 'passed' }])
    expect(origin.git('show', `${branch}:hello.txt`)).toBe('hello')
    daemon.endRuns()
    await daemon.done
  })
})

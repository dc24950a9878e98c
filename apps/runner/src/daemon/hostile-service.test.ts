import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readProcess } from '@svc/process/process-identity'
import { describe, expect, test } from 'vitest'
import { findStep, readJournal } from '../run/journal.ts'
import { listUnfinishedRuns } from '../run/run-folder.ts'
import { makeAssignment } from '../testing/assignment.ts'
import { type RunnerWorld, openRunnerWorld } from '../testing/runner-world.ts'
import { gitIn } from '../testing/temporary.ts'

const seconds = 60_000

type Order = Record<string, Record<string, unknown>>

/** A service that answers each claim with what it likes. */
function answerClaims(world: RunnerWorld, answer: () => unknown): void {
  world.service.answer('claimExecutionRequest', () => ({ status: 200, json: answer() }))
}

function claimAnswer(request: unknown, changes: object = {}): object {
  return {
    request,
    leaseToken: 'k1.1',
    leaseSeconds: 3,
    heartbeatSeconds: 0.3,
    waited: false,
    nextPollSeconds: 0,
    directives: [],
    serverTime: new Date().toISOString(),
    ...changes,
  }
}

function orderWith(changes: (order: Order) => void): object {
  const order = structuredClone(makeAssignment({ resourceKey: 'web' }))
  changes(order as never)
  return order
}

/** What there is beside and below the runner's folder, but for what a daemon keeps of its own. */
function listAround(world: RunnerWorld): string[] {
  const around = dirname(world.home.folder)
  return readdirSync(around, { recursive: true })
    .map(String)
    .filter((path) => !/(^|\/)(daemon\.lock|(device|offered)\.json|bin\/svc)/.test(path))
    .toSorted()
}

const above = '../../victim'

describe('an order of a hostile service', { timeout: seconds }, () => {
  test.each<[string, string, (order: Order) => void]>([
    ['request', 'executionRequest.id', (order) => (order['executionRequest']!['id'] = above)],
    [
      'request with a UUID in front',
      'executionRequest.id',
      (order) => (order['executionRequest']!['id'] += `/../${above}`),
    ],
  ])('that names no %s is used for nothing, and nobody is told', async (_, _path, change) => {
    await using world = await openRunnerWorld('true')
    const victim = join(dirname(world.home.folder), 'victim')
    mkdirSync(`${victim}.1.draft`)
    writeFileSync(join(`${victim}.1.draft`, 'kept'), 'kept')
    const before = listAround(world)
    answerClaims(world, () => claimAnswer(orderWith(change)))
    const daemon = await world.start()
    await world.service.called('claimExecutionRequest', 3)
    daemon.drain()
    await daemon.done
    expect(listAround(world)).toEqual(before)
    const routes = new Set(world.service.received.map(({ route }) => route))
    expect([...routes]).toEqual(['claimExecutionRequest'])
  })

  test.each<[string, (order: Order) => void]>([
    ['mission.displayId', (order) => (order['mission']!['displayId'] = `web:../${above}`)],
    ['objective.displayId', (order) => (order['objective']!['displayId'] = `web:7.${above}`)],
    ['project.slug', (order) => (order['project']!['slug'] = above)],
    ['mission.id', (order) => (order['mission']!['id'] = above)],
    [
      'executionRequest.resourceKey',
      (order) => (order['executionRequest']!['resourceKey'] = above),
    ],
    ['executionRequest.agent', (order) => (order['executionRequest']!['agent'] = '--help')],
    ['executionRequest.generation', (order) => (order['executionRequest']!['generation'] = -1)],
    ['mission.active_branch', (order) => (order['mission']!['active_branch'] = above)],
    ['mission.active_branch', (order) => (order['mission']!['active_branch'] = '--force')],
    ['mission.active_branch', (order) => (order['mission']!['active_branch'] = 'HEAD')],
    ['objective.branch', (order) => (order['objective']!['branch'] = 'a b')],
    ['project.defaultBranch', (order) => (order['project']!['defaultBranch'] = '-c')],
    [
      'branches.mission.branch',
      (order) =>
        (order['branches']!['mission'] = {
          branch: 'a/../b',
          startSha: '0'.repeat(40),
          lastSha: '0'.repeat(40),
          runnerId: order['executionRequest']!['runnerId'],
          runnerLabel: 'laptop',
        }),
    ],
    ['launchSettings', (order) => (order['launchSettings'] = [] as never)],
  ])('with a bad %s fails before any of it is used', async (path, change) => {
    await using world = await openRunnerWorld('true')
    world.queue()
    const before = listAround(world)
    const branches = gitIn(world.checkout, 'branch', '--list')
    answerClaims(world, () => claimAnswer(orderWith(change)))
    const daemon = await world.start()
    const { body } = await world.service.called('reportFailed', 2)
    daemon.drain()
    await daemon.done
    expect(body).toMatchObject({ leaseToken: 'k1.1', code: 'bad_order', phase: 'prepare' })
    expect(body['message']).toContain(path)
    expect(body['message']).not.toContain('victim')
    expect(listAround(world)).toEqual(before)
    expect(gitIn(world.checkout, 'branch', '--list')).toBe(branches)
    expect(world.service.calls('reportLaunching')).toEqual([])
  })

  test.each([
    ['nothing', null],
    ['a list', []],
    ['times that are none', claimAnswer(null, { heartbeatSeconds: 0, nextPollSeconds: -1 })],
    ['a lease that no header carries', claimAnswer(makeAssignment(), { leaseToken: 'k1\n1' })],
    ['an order without its lease', claimAnswer(makeAssignment(), { leaseToken: undefined })],
  ])('of %s ends no runner and keeps none from ending', async (_, json) => {
    await using world = await openRunnerWorld('true')
    answerClaims(world, () => json)
    const daemon = await world.start()
    await world.service.called('claimExecutionRequest', 3)
    daemon.drain()
    await daemon.done
    expect(listUnfinishedRuns(world.home)).toEqual([])
  })

  test('without the token of its agent is refused where there is to be one', async () => {
    await using world = await openRunnerWorld('true')
    answerClaims(world, () => claimAnswer(makeAssignment()))
    await (
      await world.start({ once: true, agentToken: 'minted' })
    ).done
    const { body } = await world.service.called('reportFailed')
    expect(body).toMatchObject({
      code: 'bad_order',
      message: expect.stringContaining('the token of its agent is missing'),
    })
  })

  test('that comes again and again is carried out once', async () => {
    await using world = await openRunnerWorld('true')
    const assignment = world.queue({ resourceKey: null })
    answerClaims(world, () => claimAnswer(assignment))
    const daemon = await world.start()
    await world.service.called('reportExited')
    await world.service.called('claimExecutionRequest', 5)
    daemon.drain()
    await daemon.done
    expect(world.service.calls('reportLaunched')).toHaveLength(1)
  })

  test('of a later version is carried out without what this one does not know', async () => {
    await using world = await openRunnerWorld('true')
    const assignment = world.queue({ resourceKey: null })
    const withMore = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(withMore)
      if (typeof value !== 'object' || value === null) return value
      const known = Object.entries(value).map(([key, of]) => [key, withMore(of)])
      return { ...Object.fromEntries(known), ofALaterVersion: { it: 'says' } }
    }
    const { launchSettings } = assignment
    answerClaims(world, () => {
      const { request, ...beside } = withMore(claimAnswer(assignment)) as { request: object }
      // of the project’s own names, each is one
      return { ...beside, request: { ...request, launchSettings } }
    })
    await (
      await world.start({ once: true })
    ).done
    expect(world.service.calls('reportLaunched')).toHaveLength(1)
  })

  test('is refused once by a runner that takes one', async () => {
    await using world = await openRunnerWorld('true')
    answerClaims(world, () =>
      claimAnswer(orderWith((order) => (order['project']!['slug'] = above))),
    )
    const daemon = await world.start({ once: true })
    await daemon.done
    expect(world.service.calls('claimExecutionRequest')).toHaveLength(1)
    expect(world.service.calls('reportFailed')).toHaveLength(1)
  })
})

test(
  'a run whose order cannot be read any more is ended and keeps no runner from ending',
  {
    timeout: seconds,
  },
  async () => {
    await using world = await openRunnerWorld('while :; do sleep 0.1; done')
    world.queue({ resourceKey: null })
    const process_ = world.startProcess()
    const folder = await world.reached('spawned')
    process_.kill('SIGKILL')
    process.kill(findStep(readJournal(folder), 'supervisor')!.pid, 'SIGKILL')
    writeFileSync(join(folder, 'request.json'), '{}')
    const daemon = await world.start()
    await expect.poll(() => listUnfinishedRuns(world.home), { timeout: seconds }).toEqual([])
    daemon.drain()
    await daemon.done
    expect(readProcess(findStep(readJournal(folder), 'spawned')!.pid)).toBeUndefined()
  },
)

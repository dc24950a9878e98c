import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { listUnfinishedRuns } from '../run/run-folder.ts'
import { makeAssignment } from './assignment.ts'
import { type RunnerWorld, openRunnerWorld } from './runner-world.ts'
import { gitIn } from '@svc/testing/temporary'

type Order = Record<string, Record<string, unknown>>

/** A service that answers each claim with what it likes. */
export function answerClaims(world: RunnerWorld, answer: () => unknown): void {
  world.service.answer('claimExecutionRequest', () => ({ status: 200, json: answer() }))
}

export function claimAnswer(request: unknown, changes: object = {}): object {
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

export function orderWith(changes: (order: Order) => void): object {
  const order = structuredClone(makeAssignment({ resourceKey: 'web' }))
  // a change may make of any part what its type forbids
  changes(order as never)
  return order
}

/** What there is next to and below the runner's folder, without what a daemon keeps there itself. */
function listAround(world: RunnerWorld): string[] {
  const around = dirname(world.home.folder)
  return readdirSync(around, { recursive: true })
    .map(String)
    .filter((path) => !/(^|\/)(daemon\.lock|(device|offered)\.json|bin\/svc)/.test(path))
    .toSorted()
}

export const above = '../../victim'

export const namesOfNone: [string, string, (order: Order) => void][] = [
  ['request', 'executionRequest.id', (order) => (order['executionRequest']!['id'] = above)],
  [
    'request with a UUID in front',
    'executionRequest.id',
    (order) => (order['executionRequest']!['id'] += `/../${above}`),
  ],
]

export function isUsedForNothing(rows: readonly [string, string, (order: Order) => void][]): void {
  test.each(rows)(
    'that names no %s is used for nothing, and nothing is reported',
    async (_, _path, change) => {
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
    },
  )
}

export const badFields: [string, (order: Order) => void][] = [
  ['mission.displayId', (order) => (order['mission']!['displayId'] = `web:../${above}`)],
  ['objective.displayId', (order) => (order['objective']!['displayId'] = `web:7.${above}`)],
  ['project.slug', (order) => (order['project']!['slug'] = above)],
  ['mission.id', (order) => (order['mission']!['id'] = above)],
  ['executionRequest.resourceKey', (order) => (order['executionRequest']!['resourceKey'] = above)],
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
  // no list is what the type says, and so what a hostile service sends
  ['launchSettings', (order) => (order['launchSettings'] = [] as never)],
]

export function failsBeforeUse(rows: readonly [string, (order: Order) => void][]): void {
  test.each(rows)('with a bad %s fails before any of it is used', async (path, change) => {
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
}

export const badAnswers = [
  ['nothing', null],
  ['a list', []],
  ['times that are none', claimAnswer(null, { heartbeatSeconds: 0, nextPollSeconds: -1 })],
  ['a lease that no header carries', claimAnswer(makeAssignment(), { leaseToken: 'k1\n1' })],
  ['an order without its lease', claimAnswer(makeAssignment(), { leaseToken: undefined })],
] as const

export function endsNoRunner(rows: readonly (typeof badAnswers)[number][]): void {
  test.each(rows)('of %s ends no runner and keeps none from ending', async (_, json) => {
    await using world = await openRunnerWorld('true')
    answerClaims(world, () => json)
    const daemon = await world.start()
    await world.service.called('claimExecutionRequest', 3)
    daemon.drain()
    await daemon.done
    expect(listUnfinishedRuns(world.home)).toEqual([])
  })
}

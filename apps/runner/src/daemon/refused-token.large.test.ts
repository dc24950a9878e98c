import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@svc/testing/temporary'
import { describe, expect, test } from 'vitest'
import { markedProcesses } from '../processes/find-processes.ts'
import { isRefused } from '../run/journal.ts'
import { listUnfinishedRuns } from '../run/run-folder.ts'
import { type ContractService, brokenConnection, refusal } from '../testing/contract-service.ts'
import { openChecked } from '../testing/checks.ts'
import { openWorld } from '../testing/pre-launch.ts'
import { type RunnerWorld, openRunnerWorld } from '../testing/runner-world.ts'

/** An agent that has attached, leaves a change and a delivery behind, and works on. */
const working = `folder="$SVC_TMPDIR/spool/$SVC_EXECUTION_REQUEST_ID"
mkdir -p "$folder"
printf '%s' '{"operation":"deliver","input":{"sessionKey":"s","summary":"done"},"idempotencyKey":"k-1","at":"2026-11-01T10:00:00Z"}' > "$folder/0001.json"
echo half > left.txt
echo ready > "$SVC_TMPDIR/ready"
sleep 300`

/** The same, until the file is there. */
const endingWith = (file: string) =>
  working.replace('sleep 300', `until test -e '${file}'; do sleep 0.1; done`)

const routes = [
  'claimExecutionRequest',
  'heartbeatRunner',
  'reportLaunching',
  'reportLaunched',
  'reportReleased',
  'reportFailed',
  'reportExited',
  'reportCheck',
  'reportRunFiles',
  'reportRunPatches',
  'completeRunFiles',
  'appendRunLog',
  'deliver',
]

function revokeToken(service: ContractService): void {
  for (const route of routes) service.answer(route, () => refusal('unauthenticated', 401))
}

/** The person of the runner is a viewer from now on. */
function takeRight(service: ContractService): void {
  for (const route of routes) service.answer(route, () => refusal('forbidden', 403))
}

function takeToken(service: ContractService): void {
  for (const route of routes) service.answer(route, () => undefined)
}

function listenTo(
  world: RunnerWorld,
  said: string[],
): Promise<Awaited<ReturnType<typeof world.start>>> {
  const warn = (_facts: object, message: string) => void said.push(message)
  return world.start({ log: { info: () => undefined, warn } })
}

describe('where the service takes the token of a runner no more', () => {
  test('its agent is ended soon, the terminal says so at once, and the next runner reports what is left', async () => {
    await using world = await openRunnerWorld(working)
    const { service } = world
    service.state.attached = true
    const { executionRequest } = world.queue()
    const said: string[] = []
    const daemon = await listenTo(world, said)
    await service.called('reportLaunched')
    await expect.poll(() => existsSync(join(world.worktree, 'left.txt'))).toBe(true)
    revokeToken(service)
    const refusedAt = service.received.length
    await expect
      .poll(() => said.join('\n'))
      .toMatch(/Sign in with svc login.* agents are ended when their leases are over/)
    expect(markedProcesses({ requestId: executionRequest.id, generation: 1 })).not.toEqual([])
    await expect(daemon.done).rejects.toMatchObject({ exitCode: 3 })
    expect(markedProcesses({ requestId: executionRequest.id, generation: 1 })).toEqual([])
    expect(listUnfinishedRuns(world.home).map(({ steps }) => isRefused(steps))).toEqual([true])

    takeToken(service)
    await world.start()
    const { body } = await service.called('reportExited')
    expect(body).toMatchObject({ cause: 'runner_stopped', signal: 'SIGINT' })
    const later = service.received.slice(refusedAt).map(({ route }) => route)
    expect(later.indexOf('deliver')).toBeGreaterThan(-1)
    expect(later.indexOf('deliver')).toBeLessThan(later.indexOf('reportExited'))
    await world.reached('cleaned')
    expect(existsSync(join(world.worktree, 'left.txt'))).toBe(true)
  })

  test('its agent goes on where the token is taken again before the lease is over', async () => {
    using folder = temporaryFolder()
    const end = join(folder.path, 'end')
    await using world = await openRunnerWorld(`until test -e '${end}'; do sleep 0.1; done`)
    const { service } = world
    service.state.attached = true
    world.queue()
    await world.start()
    await service.called('reportLaunched')
    let refused = 0
    service.answer('heartbeatRunner', ({ leases }) => {
      if ((leases as unknown[]).length === 0 || refused === 3) return undefined
      refused += 1
      return refusal('forbidden', 403)
    })
    await expect.poll(() => refused).toBe(3)
    const isRefusedNow = () => listUnfinishedRuns(world.home).some(({ steps }) => isRefused(steps))
    await expect.poll(isRefusedNow).toBe(false)
    writeFileSync(end, '')
    const { body } = await service.called('reportExited')
    expect(body).toMatchObject({ cause: 'agent', exitCode: 0 })
  })

  test('a run whose agent has not started waits for the next runner, which gives it back', async () => {
    await using world = await openRunnerWorld('true')
    const { service } = world
    service.answer('load-context', () => {
      revokeToken(service)
      return refusal('unauthenticated', 401)
    })
    world.queue()
    const daemon = await world.start()
    await expect(daemon.done).rejects.toMatchObject({ exitCode: 3 })
    const unheard = service.received.length
    takeToken(service)
    await world.start()
    await world.reached('cleaned')
    const heard = service.received.slice(unheard).map(({ route }) => route)
    expect(heard).toContain('reportReleased')
    expect(heard).not.toContain('reportFailed')
  })
})

describe('where the person of a runner may not work any more', () => {
  test('what an agent left that ended by itself waits for a runner that may report it', async () => {
    using folder = temporaryFolder()
    const end = join(folder.path, 'end')
    await using world = await openRunnerWorld(endingWith(end))
    const { service } = world
    service.state.attached = true
    world.queue()
    const daemon = await world.start()
    await service.called('reportLaunched')
    await expect.poll(() => existsSync(join(world.worktree, 'left.txt'))).toBe(true)
    takeRight(service)
    writeFileSync(end, '')
    await expect(daemon.done).rejects.toMatchObject({ exitCode: 3 })
    expect(listUnfinishedRuns(world.home)).toHaveLength(1)

    // a daemon that has no room for more asks for none, and is told all the same
    const full = await world.start({ max: 1 })
    await expect(full.done).rejects.toMatchObject({ exitCode: 3 })
    expect(listUnfinishedRuns(world.home)).toHaveLength(1)

    takeToken(service)
    const refused = service.received.length
    await world.start()
    await world.reached('cleaned')
    const heard = service.received.slice(refused)
    const sent = heard.map(({ route }) => route)
    const order = ['deliver', 'completeRunFiles', 'reportExited'].map((route) =>
      sent.indexOf(route),
    )
    expect(order).not.toContain(-1)
    expect(order).toEqual(order.toSorted((one, other) => one - other))
    expect(heard[order[2] ?? 0]?.body).toMatchObject({ cause: 'agent', exitCode: 0 })
  })

  test('a kept call that is refused alone holds up no report', async () => {
    await using world = await openRunnerWorld(working.replace('sleep 300', 'true'))
    const { service } = world
    service.state.attached = true
    service.answer('deliver', () => refusal('forbidden', 403))
    world.queue()
    await world.start()
    const { body } = await service.called('reportExited')
    expect(body['agentError']).toContain('The delivery was not taken')
    await world.reached('cleaned')
  })

  test.each([
    ['right', takeRight],
    ['token', revokeToken],
  ])('a check whose report waits for the %s keeps no run from its end', async (_, refuse) => {
    await using world = await openChecked({ test: { command: 'sleep 300' } })
    const { service } = world
    service.answer('reportCheck', () => {
      refuse(service)
      return brokenConnection
    })
    world.want(1, 'test')
    await expect(world.daemon.done).rejects.toMatchObject({ exitCode: 3 })
  })

  test('the output of a command before the agent keeps no run from its end', async () => {
    await using world = await openWorld([
      `trap 'echo more; exit 5' INT TERM; echo busy; sleep 600 & wait`,
    ])
    const { service } = world
    const daemon = await world.start()
    await expect.poll(() => service.log()).toContain('busy')
    revokeToken(service)
    await expect(daemon.done).rejects.toMatchObject({ exitCode: 3 })
  })
})

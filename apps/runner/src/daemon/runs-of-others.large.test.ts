import { once } from 'node:events'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@svc/testing/temporary'
import { describe, expect, test } from 'vitest'
import { tmpPath } from '../plan/paths.ts'
import type { Person } from '../run/claimant.ts'
import { readJournal } from '../run/journal.ts'
import { listUnfinishedRuns, readRunOrder } from '../run/run-folder.ts'
import { makeAssignment } from '../testing/assignment.ts'
import { findSupervisor } from '../run/supervision.ts'
import { type ContractService, openContractService, refusal } from '../testing/contract-service.ts'
import { killHard } from '../testing/kill-hard.ts'
import { type RunnerWorld, openRunnerWorld, testToken } from '../testing/runner-world.ts'
import { resetJournal } from '../testing/supervisors.ts'

const otherToken = `svcut_${'c3'.repeat(25)}`
const ada: Person = {
  userId: 'u-1',
  email: 'ada@acme.example',
  workspaceId: 'w-1',
  workspace: 'acme',
}
const inBeta: Person = { ...ada, workspaceId: 'w-2', workspace: 'beta' }
const bob: Person = { ...ada, userId: 'u-2', email: 'bob@acme.example' }

/** An agent that leaves a delivery behind and works on. */
const delivering = `folder="$SVC_TMPDIR/spool/$SVC_EXECUTION_REQUEST_ID"
mkdir -p "$folder"
printf '%s' '{"operation":"deliver","input":{"sessionKey":"s","summary":"done"},"idempotencyKey":"k-1","at":"2026-11-01T10:00:00Z"}' > "$folder/0001.json"
echo ready > "$SVC_TMPDIR/ready"
sleep 600`

/** A daemon of another login, in the same home. */
async function startOther(
  world: RunnerWorld,
  service: { baseUrl: string; token: string; person?: Person },
) {
  const said: string[] = []
  const warn = (_facts: object, message: string) => void said.push(message)
  const daemon = await world.start({ service, max: 1, log: { info: () => undefined, warn } })
  return { daemon, said: () => said.join('\n') }
}

/** Daemon and supervisor of a run at work are killed. */
async function loseAtWork(world: RunnerWorld, person?: Person): Promise<string> {
  const daemon = world.startProcess(person)
  const folder = await world.reached('spawned')
  await world.service.called('reportLaunched')
  daemon.kill('SIGKILL')
  await once(daemon, 'exit')
  killHard(folder, 'supervisor')
  await expect.poll(() => findSupervisor(folder)).toBeUndefined()
  return folder
}

function tokensAt({ received }: ContractService): unknown[] {
  return [...new Set(received.map(({ headers }) => headers.authorization))]
}

/** Whatever is to be sent at a daemon's start is sent. */
async function isSettled(service: ContractService): Promise<void> {
  await service.called('claimExecutionRequest', service.calls('claimExecutionRequest').length + 20)
}

describe('runs that were claimed at another service', () => {
  test('stay, and their service never sees the token; the daemon works, ends, and says what to do', async () => {
    await using world = await openRunnerWorld('echo "$PWD" > "$SVC_TMPDIR/where"; sleep 600')
    await using other = await openContractService()
    const { objective, executionRequest } = world.queue()
    const folder = await loseAtWork(world)
    const steps = readJournal(folder)

    const { daemon, said } = await startOther(world, { baseUrl: other.url, token: otherToken })
    await isSettled(other)
    // the only place is free for its own
    other.queue(makeAssignment())
    await other.called('reportLaunched')
    expect(tokensAt(world.service)).toEqual([`Bearer ${testToken}`])
    expect(tokensAt(other)).toEqual([`Bearer ${otherToken}`])
    expect(readJournal(folder)).toEqual(steps)
    const there = `--url ${world.service.url}`
    const here = `--runner-home ${world.home.folder}`
    for (const part of [
      `Runs of ${world.service.url} are not over and left alone here (${objective.displayId})`,
      `svc login ${there}, then svc runner start ${there} ${here}`,
      `svc runner forget ${executionRequest.id} ${here}`,
    ])
      expect(said().split(part)).toHaveLength(2)
    daemon.endRuns()
    await daemon.done

    await world.start()
    expect((await world.service.called('reportExited')).body).toMatchObject({
      cause: 'supervisor_lost',
    })
  })

  test('are not started, and do not keep a daemon from its end', async () => {
    await using world = await openRunnerWorld('true')
    await using other = await openContractService()
    world.queue()
    await (
      await world.start({ once: true })
    ).done
    const folder = await world.reached('cleaned')
    resetJournal(folder)
    const heard = world.service.received.length

    const { daemon } = await startOther(world, { baseUrl: other.url, token: otherToken })
    await isSettled(other)
    expect(readJournal(folder)).toHaveLength(1)
    expect(world.service.received).toHaveLength(heard)
    daemon.drain()
    await daemon.done
  })
})

describe.each([
  ['in another workspace', inBeta],
  ['as another person', bob],
  ['with a token that the service does not take', undefined],
])('of who is signed in now %s', (_, person) => {
  test('a delivery that waits stays for whom it was claimed', async () => {
    await using world = await openRunnerWorld(delivering)
    const { service } = world
    service.state.attached = true
    world.queue()
    const folder = await loseAtWork(world, ada)
    await expect.poll(() => existsSync(join(tmpPath(readRunOrder(folder)), 'ready'))).toBe(true)
    service.answer('deliver', () => refusal('not_found', 404))
    const asked = service.received.length

    const { daemon, said } = await startOther(world, {
      baseUrl: service.url,
      token: otherToken,
      ...(person && { person }),
    })
    await isSettled(service)
    daemon.drain()
    await daemon.done
    const routes = service.received.slice(asked).map(({ route }) => route)
    expect([...new Set(routes)]).toEqual(['claimExecutionRequest'])
    expect(listUnfinishedRuns(world.home).map((one) => one.folder)).toEqual([folder])
    expect(said()).toContain(
      `Runs of ${service.url}, workspace acme, ada@acme.example are not over`,
    )

    service.answer('deliver', () => undefined)
    await world.start({ service: { baseUrl: service.url, token: testToken, person: ada } })
    await service.called('deliver')
    await service.called('reportExited')
    await world.reached('cleaned')
  })
})

test('a run of which an earlier version wrote only the order is taken to its end at its service', async () => {
  await using world = await openRunnerWorld('sleep 600')
  world.queue()
  const folder = await loseAtWork(world, ada)
  rmSync(join(folder, 'claimant.json'))
  await startOther(world, { baseUrl: world.service.url, token: otherToken, person: inBeta })
  const { body } = await world.service.called('reportExited')
  expect(body).toMatchObject({ cause: 'supervisor_lost' })
  await world.reached('cleaned')
})

test('a run of another login whose supervisor lives goes on, and is reported as for whom it was claimed', async () => {
  using outside = temporaryFolder()
  const end = join(outside.path, 'end')
  await using world = await openRunnerWorld(`until test -e '${end}'; do sleep 0.1; done`)
  await using other = await openContractService()
  world.queue()
  const first = world.startProcess(ada)
  await world.service.called('reportLaunched')
  first.kill('SIGKILL')
  await once(first, 'exit')
  const { daemon, said } = await startOther(world, { baseUrl: other.url, token: otherToken })
  await isSettled(other)
  daemon.endRuns()
  await daemon.done
  expect(world.service.calls('reportExited')).toEqual([])
  expect(said()).toBe('')
  writeFileSync(end, '')
  const { body } = await world.service.called('reportExited')
  expect(body).toMatchObject({ cause: 'agent', exitCode: 0 })
  expect(tokensAt(world.service)).toEqual([`Bearer ${testToken}`])
})

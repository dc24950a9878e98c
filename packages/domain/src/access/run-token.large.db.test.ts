import { randomUUID } from 'node:crypto'
import type { Objective } from '@svc/contracts/objective'
import type { ProtocolOperation } from '@svc/contracts/protocol'
import { tokenChecksum } from '@svc/contracts/token-form'
import { personWith } from '../testing/people.ts'
import { type Lease, type TestRunner, leaseOf, runnerWith } from '../testing/runner.ts'
import { type World, test } from '../testing/world.ts'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { endRestored } from '../backups/end-restored.ts'
import { revokeByClient } from '../oauth/revoke.ts'
import { authenticateAgain } from '../people/access/authenticate-again.ts'
import { authenticate } from './authenticate.ts'
import { runTokenOf } from './run-token.ts'

const minted = { mintAgentToken: true }
const over = { code: 'unauthenticated', details: { reason: 'run_over' } }

function tokenOf({ agentToken }: Lease): string {
  if (agentToken === undefined) throw new Error('the claim gave no token for the agent')
  return agentToken
}

/** A run whose agent was given a token of its own, and who calls with it. */
async function runOf(world: World, objective: Objective, given?: TestRunner) {
  const { executionRequest } = await world.alice.launch(objective)
  const runner = given ?? (await world.connectedRunner({ id: executionRequest.projectId }))
  const lease = await runner.take(minted)
  const token = tokenOf(lease)
  return {
    runner,
    lease,
    token,
    caller: personWith(world.domain, token),
    agent: runner.agent(lease),
    start: async () => {
      await runner.launching(lease)
      await runner.launched(lease)
    },
    isGood: () => authenticate(world.domain, token, 'api'),
  }
}

test('a claim gives the agent a token where it is asked to, and the same one when it is repeated', async ({
  world,
}) => {
  const { alice, mission, project } = await world.missionWith(['one', 'two'])
  const runner = await world.connectedRunner(project)
  const claimId = '018f0000-0000-7000-8000-000000000001'
  await alice.launch(mission.objectives[0])

  const first = await runner.claim({ claimId, ...minted })
  const again = await runner.claim({ claimId, ...minted })
  const without = await runner.claim({ claimId })

  expect(first.agentToken).toMatch(/^svcrt_/)
  expect(again.agentToken).toBe(first.agentToken)
  expect(without).toMatchObject({ leaseToken: first.leaseToken })
  expect(without).not.toHaveProperty('agentToken')
  expect(await runner.claim({ waitSeconds: 0, ...minted })).not.toHaveProperty('agentToken')
  expect(leaseOf(first).generation).toBe(1)
})

test('an agent can do with it whatever the protocol has', async ({ world }) => {
  const { mission } = await world.missionWith(['one', 'two'])
  const [own, next] = mission.objectives
  const { agent, caller, start } = await runOf(world, own)
  await start()
  const artifact = { type: 'notes', label: 'Notes', contentText: 'One.' }
  const named = () => ({ sessionKey: agent.sessionKey() })
  const operations: Record<ProtocolOperation, () => Promise<unknown>> = {
    attach: () => agent.attach(),
    'load-context': () => caller.protocol('load-context', { missionId: mission.id }),
    heartbeat: () => agent.heartbeat(),
    update: () => agent.update(),
    ask: async () => {
      const { questionId } = await agent.ask()
      await world.alice.answer(questionId)
      expect(await agent.ask({ questionId })).toMatchObject({ answer: { text: 'Spaces.' } })
    },
    'add-artifact': () => caller.protocol('add-artifact', { ...named(), ...artifact }),
    'update-artifact': async () => {
      const added = await caller.protocol('add-artifact', { ...named(), ...artifact })
      const { id: artifactId, revision: expectedRevision } = added.artifact
      const changed = { artifactId, expectedRevision, contentText: 'Two.' }
      await caller.protocol('update-artifact', { ...named(), ...changed })
    },
    deliver: () => agent.deliver(),
    'record-work': async () => {
      const other = await runOf(world, (await world.missionWith(['three'])).mission.objectives[0])
      await other.start()
      await other.agent.attach()
      const sessionKey = other.agent.sessionKey()
      await other.caller.protocol('record-work', { sessionKey, summary: 'Done.' })
    },
  }
  for (const operation of Object.values(operations)) await operation()

  expect((await caller.objective(own)).state).toBe('complete')
  await expect(caller.objective(next)).rejects.toMatchObject({ code: 'not_found' })
})

describe('the token of a run', () => {
  test('begins with what is known of the run, and its secret stands behind that', async ({
    world,
  }) => {
    const keys = `other:${Buffer.alloc(32, 8).toString('base64')}`
    await using elsewhere = await world.openProcess({ secretKeys: keys })
    const [workspaceId, requestId, tokenId] = [randomUUID(), randomUUID(), randomUUID()]
    const run = { workspaceId, requestId, tokenId, generation: 1 }
    const [one, other] = [world.domain, elsewhere].map((domain) => runTokenOf(domain.keys, run))
    expect(one?.slice(0, 70)).toBe(other?.slice(0, 70))
    expect(one?.slice(-49)).not.toBe(other?.slice(-49))
  })

  test('sees its objective and no other, and neither claims, reports nor mints', async ({
    world,
  }) => {
    const { mission, project } = await world.missionWith(['first', 'second'], {
      allowParallelObjectives: true,
    })
    const [own, sibling] = mission.objectives
    const runner = await world.connectedRunner(project)
    const { caller, lease, token } = await runOf(world, own, runner)
    const other = await runOf(world, sibling, runner)
    const { call } = caller
    const missing = { code: 'not_found' }

    expect(await caller.objective(own)).toMatchObject({ id: own.id })
    await expect(caller.objective(sibling)).rejects.toMatchObject(missing)
    await expect(caller.request(other.lease)).rejects.toMatchObject(missing)
    const asSibling = world.agentOf(caller, { missionId: mission.id, objectiveId: sibling.id })
    await expect(asSibling.attach()).rejects.toMatchObject(missing)
    const { executionRequests } = await call('listExecutionRequests', {})
    expect(executionRequests.map(({ id }) => id)).toEqual([lease.id])

    const refused = { code: 'forbidden' }
    const { id, leaseToken } = lease
    await expect(call('reportLaunching', { id, leaseToken })).rejects.toMatchObject(refused)
    await expect(
      runnerAs(token, world, project.id).claim({ waitSeconds: 0 }),
    ).rejects.toMatchObject(refused)
    const order = { label: 'mine', preset: 'read_only' } as const
    await expect(call('createUserToken', order)).rejects.toMatchObject(refused)
    expect(await call('getMe', {})).toMatchObject({ user: { name: 'alice' }, token: null })
  })

  test('may no more than the token that claimed', async ({ world }) => {
    const { alice, mission, project } = await world.missionWith(['one'])
    const { token } = await alice.withToken({
      permissions: ['execution_request:claim', 'execution_request:report', 'mission:read'],
    })
    await alice.launch(mission.objectives[0])
    const lease = await runnerAs(token, world, project.id).take(minted)
    const { permissions, credential } = await authenticate(world.domain, tokenOf(lease), 'api')
    expect([...permissions]).toEqual(['mission:read'])
    expect(credential).toMatchObject({ kind: 'run', prefix: tokenOf(lease).slice(0, 14) })
  })

  test('is good where that of its runner is, and is neither forged nor changed', async ({
    world,
  }) => {
    const { alice, mission } = await world.missionWith(['one', 'two'], {
      allowParallelObjectives: true,
    })
    const { domain } = world
    const { token } = await runOf(world, mission.objectives[0])
    await expect(authenticate(domain, token, 'mcp')).resolves.toBeDefined()
    const inApi = await alice.withToken({ preset: 'runner', audiences: ['api'] })
    const runner = runnerAs(inApi.token, world, mission.projectId)
    const other = await runOf(world, mission.objectives[1], runner)
    await expect(authenticate(domain, other.token, 'api')).resolves.toBeDefined()
    await expect(authenticate(domain, other.token, 'mcp')).rejects.toMatchObject(over)

    const keys = `other:${Buffer.alloc(32, 8).toString('base64')}`
    await using elsewhere = await world.openProcess({ secretKeys: keys })
    const refused = { code: 'unauthenticated', details: undefined }
    await expect(authenticate(elsewhere, token, 'api')).rejects.toMatchObject(refused)
    for (const at of [8, 60, 118]) {
      const body = token.slice(0, at) + (token[at] === 'a' ? 'b' : 'a') + token.slice(at + 1, -6)
      const changed = body + tokenChecksum(body)
      await expect(authenticate(domain, changed, 'api')).rejects.toMatchObject(refused)
    }
    const largest = `svcrt_${'z'.repeat(113)}`
    const beyond = largest + tokenChecksum(largest)
    await expect(authenticate(domain, beyond, 'api')).rejects.toMatchObject(refused)
  })

  test('is ended by nobody who holds it', async ({ world }) => {
    const { mission } = await world.missionWith(['one'])
    const { token, caller, isGood } = await runOf(world, mission.objectives[0])
    await expect(caller.call('revokeCurrentUserToken', {})).rejects.toMatchObject({
      code: 'validation_failed',
    })
    await expect(
      revokeByClient({ domain: world.domain }, { token, clientId: undefined }),
    ).rejects.toMatchObject({ word: 'unsupported_token_type' })
    await expect(isGood()).resolves.toBeDefined()
    await expect(world.alice.call('getMe', {})).resolves.toBeDefined()
  })

  test('counts as that of its runner, which repeats what the agent has begun', async ({
    world,
  }) => {
    const { mission } = await world.missionWith(['one'])
    const { agent, runner, caller, start } = await runOf(world, mission.objectives[0])
    await start()
    await agent.attach()
    const said = { sessionKey: agent.sessionKey(), text: 'Half of it is done.' }
    const options = { idempotencyKey: 'kept-on-the-disk' }
    const first = await caller.protocol('update', said, options)
    expect(await runner.protocol('update', said, options)).toEqual(first)
    expect((await caller.actor()).credential.id).toBe((await runner.actor()).credential.id)
  })
})

function runnerAs(token: string, world: World, projectId: string): TestRunner {
  return runnerWith(world.domain, token, { projectIds: [projectId] })
}

/** Each ends what the agent was started for, or the right to it. */
const ends: Record<string, (world: World, run: Awaited<ReturnType<typeof runOf>>) => unknown> = {
  'its runner has reported its end': async (_, { runner, lease, agent }) => {
    await agent.attach()
    await agent.deliver()
    await runner.exited(lease)
  },
  'its agent ended before it attached': (_, { runner, lease }) =>
    runner.exited(lease, { exitCode: 1 }),
  'it is cancelled and over': async ({ alice }, { runner, lease, agent }) => {
    await agent.attach()
    await alice.call('cancelExecutionRequest', { id: lease.id })
    await runner.exited(lease, { cause: 'cancelled' })
  },
  'it is cancelled and nobody says that it is over': async (world, { lease, agent }) => {
    await agent.attach()
    await world.alice.call('cancelExecutionRequest', { id: lease.id })
    await world.advance(world.domain.seconds.cancel + 1)
    await world.settle()
  },
  'its lease has lapsed before an agent came': async (world) => {
    await world.advance(world.domain.seconds.lease * 2)
    await world.settle()
  },
  'it was claimed again': async (world, { runner }) => {
    await world.advance(world.domain.seconds.lease * 2)
    await world.settle()
    await runner.take(minted)
  },
  'another was launched in place of a lost one': async (world, { agent, isGood, lease }) => {
    await agent.attach()
    await world.advance(world.domain.seconds.lost + 1)
    await world.settle()
    const { objectiveId, outcome } = await world.alice.request(lease)
    expect(outcome).toBe('lost')
    await expect(isGood()).resolves.toBeDefined()
    await world.alice.launch({ id: objectiveId })
  },
  'the token of its runner is revoked': async ({ alice }, { runner }) => {
    await alice.call('revokeWorkspaceToken', { id: (await runner.actor()).credential.id })
  },
  'the token of its runner has expired': async (world, { runner }) => {
    const { id } = (await runner.actor()).credential
    await world.domain.db
      .updateTable('user_tokens')
      .set({ expires_at: sql<Date>`app.now()` })
      .where('id', '=', id)
      .execute()
  },
  'whoever runs its runner is no member any more': async ({ domain }, { runner }) => {
    const { userId } = await runner.actor()
    await domain.db.deleteFrom('memberships').where('user_id', '=', userId).execute()
  },
  'the database was restored from a backup': ({ domain }) =>
    endRestored(domain, { keepTokens: true, isDry: false }),
}

describe('the token of a run is good no longer once', () => {
  test.for(Object.keys(ends))('%s', async (name, { world }) => {
    const { mission, project } = await world.missionWith(['one'])
    const owner = await world.person('member')
    const run = await runOf(
      world,
      mission.objectives[0],
      await world.connectedRunner(project, { owner }),
    )
    await run.start()
    const actor = await run.isGood()
    await expect(authenticateAgain(world.domain.db, actor)).resolves.toEqual(actor)

    await ends[name]?.(world, run)

    await expect(run.isGood()).rejects.toMatchObject(over)
    await expect(authenticateAgain(world.domain.db, actor)).rejects.toMatchObject(over)
  })
})

test('a run goes on with its token after a lease that lapsed, and after it was held lost', async ({
  world,
}) => {
  const { mission } = await world.missionWith(['one'])
  const { agent, caller, lease, start } = await runOf(world, mission.objectives[0])
  await start()
  await agent.attach()
  await world.advance(world.domain.seconds.lost + 1)
  await world.settle()
  expect(await caller.request(lease)).toMatchObject({ outcome: 'lost' })
  await agent.deliver()
  expect(await caller.request(lease)).toMatchObject({ outcome: 'delivered' })
})

import { toHttpRequest } from '@svc/client/request'
import { protocolEndpoint, protocolOperations } from '@svc/contracts/protocol'
import { type RouteName, restContracts } from '@svc/contracts/rest'
import { recalling } from '@svc/domain/handlers/recalled-callers'
import type { Person } from '@svc/domain/testing/people'
import { claimBody, prepared, startedProcess } from '@svc/domain/testing/runner'
import type { World } from '@svc/domain/testing/open-world'
import { highLimits } from '@svc/testing/high-limits'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, vi } from 'vitest'
import { testAt } from '@svc/api/testing/place'

// what the API does by the clock is nobody's call
const variables = { ...highLimits, SVC_SWEEP_SECONDS: '86400' }
const test = testAt(({ world, baseUrl }) => ({ world, baseUrl }), variables)

type Place = { world: World; baseUrl: string }
type Answer = { error?: { code: string } }

/** Somebody whose token the API has seen: two objectives, of which they have launched the first. */
async function scene({ world, baseUrl }: Place, role: 'member' | 'viewer' = 'member') {
  const { mission } = await world.missionWith(['a', 'b'], { allowParallelObjectives: true })
  const person = await world.person(role)
  const [a, b] = mission.objectives
  const launch = async (id: string, headers: Record<string, string> = {}, body: object = {}) => {
    const answer = await fetch(`${baseUrl}/api/objectives/${id}/launch`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${person.token}`,
        'content-type': 'application/json',
        ...headers,
      },
      body: JSON.stringify({ agent: 'scripted', ...body }),
    })
    const { error } = (await answer.json()) as Answer
    return error?.code ?? answer.status
  }
  return { person, launch, first: await launch(a.id, { 'idempotency-key': 'a' }), a, b }
}

/** The first pass of the sweep may come late on a busy machine. */
const isOfCalls = (table: string) => table !== 'sweep_state'

/** Whatever makes who called before somebody else, and what they are told then. */
const changes: Record<string, [(world: World, person: Person) => Promise<unknown>, string]> = {
  'whose token was revoked': [
    async (_world, { call, actor }) =>
      call('revokeUserToken', { id: (await actor()).credential.id }),
    'unauthenticated',
  ],
  'whose token has expired': [
    async ({ domain }, { actor }) =>
      sql`update user_tokens set expires_at = app.now() where id = ${(await actor()).credential.id}`.execute(
        domain.db,
      ),
    'unauthenticated',
  ],
  'who was disabled': [
    async ({ domain }, { actor }) =>
      sql`update users set disabled_at = app.now() where id = ${(await actor()).userId}`.execute(
        domain.db,
      ),
    'unauthenticated',
  ],
  'who was removed': [
    async ({ alice }, { actor }) => alice.call('removeMember', { id: (await actor()).userId }),
    'unauthenticated',
  ],
  'who may only read by now': [
    async ({ alice }, { actor }) =>
      alice.call('updateMember', { id: (await actor()).userId, role: 'viewer' }),
    'forbidden',
  ],
}

describe('a call by somebody who called before', () => {
  test.for(Object.keys(changes))('is refused %s, and does nothing', async (name, { place }) => {
    const [change, code] = changes[name] ?? []
    const { person, launch, first, a, b } = await scene(place)
    expect(first).toBe(201)
    await change?.(place.world, person)
    const again: unknown[] = []
    const written = await place.world.rowsWrittenBy(async () => {
      again.push(await launch(b.id))
      again.push(await launch(a.id, { 'idempotency-key': 'a' }))
      again.push(await launch(b.id, {}, { agent: 7 }))
      again.push(await launch(b.id, { 'idempotency-key': '' }))
    })
    // whoever may still call is answered what the same call was answered, and told what is wrong with another
    const mayCall = code === 'forbidden'
    const invalid = mayCall ? 'validation_failed' : code
    expect(again).toEqual([code, mayCall ? 201 : code, invalid, invalid])
    expect(written.rows.filter(isOfCalls)).toEqual([])
  })

  test('writes nothing for a token that was revoked meanwhile, whichever call it is', async ({
    place: { world, baseUrl },
  }) => {
    const { mission, project } = await world.missionWith(['a', 'b'], {
      allowParallelObjectives: true,
    })
    const owner = await world.person('member')
    const runner = await world.connectedRunner(project, { owner })
    const [a, b] = mission.objectives
    for (const { id } of [a, b]) await owner.call('launchObjective', { id, agent: 'scripted' })
    const lease = await runner.take()
    await runner.launching(lease, 'svc/x')
    await runner.launched(lease)
    const agent = runner.agent(lease)
    const { sessionKey } = await agent.attach()
    const { id, leaseToken, generation } = lease
    const { fingerprint, instanceId } = runner
    const leases = [{ requestId: id, leaseToken, state: 'running' }]
    const fields: Record<(typeof recalling)[number], object[]> = {
      launchObjective: [{ id: b.id, agent: 'other' }],
      claimExecutionRequest: [claimBody({ projectIds: [project.id] }, fingerprint, instanceId)],
      reportLaunching: [
        { id, leaseToken },
        { id, leaseToken, prepared: { ...prepared, branch: 'y' } },
      ],
      reportLaunched: [{ id, leaseToken, ...startedProcess }],
      reportExited: [{ id, leaseToken, exitCode: 0, signal: null, cause: 'agent', lastOutput: '' }],
      heartbeatRunner: [
        { instanceId, leases },
        { instanceId, leases: [] },
      ],
      'protocol.attach': [{ agentIdentifier: 'scripted', executionRequestId: id, generation }],
      'protocol.update': [{ sessionKey, text: 'Still here.' }],
      'protocol.heartbeat': [{ sessionKey, percent: 7 }],
      'protocol.deliver': [{ sessionKey, summary: 'Done.' }],
    }
    const send = async (name: keyof typeof fields, given: object) => {
      const operation = protocolOperations.find((one) => name === `protocol.${one}`)
      const contract = operation ? protocolEndpoint(operation) : restContracts[name as RouteName]
      const { method, path, headers, body } = toHttpRequest(contract, { ...given })
      const authorization = `Bearer ${owner.token}`
      const sent = { method, headers: { ...headers, authorization }, body: body ?? null }
      const { error } = (await (await fetch(baseUrl + path, sent)).json()) as Answer
      return `${name} ${error?.code}`
    }
    const { id: tokenId } = (await owner.actor()).credential
    const revoke = (at: 'now' | null) =>
      sql`update user_tokens set revoked_at = ${at} where id = ${tokenId}`.execute(world.domain.db)
    const came: unknown[] = []
    for (const name of recalling) {
      for (const given of fields[name]) {
        await revoke(null)
        // the process has seen the token, and what was revoked counts from its next call on
        await fetch(`${baseUrl}/api/me`, { headers: { authorization: `Bearer ${owner.token}` } })
        await revoke('now')
        const { rows } = await world.rowsWrittenBy(async () => came.push(await send(name, given)))
        came.push(rows.filter(isOfCalls))
      }
    }
    const calls = recalling.flatMap((name) => fields[name].map(() => `${name} unauthenticated`))
    expect(came).toEqual(calls.flatMap((told) => [told, []]))
  })

  test('is done once they may', async ({ place }) => {
    const { person, launch, first, b } = await scene(place, 'viewer')
    expect(first).toBe('forbidden')
    const { userId } = await person.actor()
    await place.world.alice.call('updateMember', { id: userId, role: 'member' })
    expect(await launch(b.id)).toBe(201)
  })

  test('reads who they are by the first packet of its transaction', async ({ place }) => {
    const { launch, b } = await scene(place)
    const spy = vi.spyOn(pg.Client.prototype, 'query')
    try {
      expect(await launch(b.id)).toBe(201)
      const sent = spy.mock.calls.map(([given], nth) => {
        const query: unknown = given
        const text = typeof query === 'string' ? query : (query as { text: string }).text
        return { text, client: spy.mock.contexts[nth] }
      })
      const looks = sent.flatMap(({ text }, nth) => (text.includes('token_hmac in') ? [nth] : []))
      expect(looks).toHaveLength(1)
      const [look = 0] = looks
      expect(sent[look - 1]).toEqual({ text: 'begin', client: sent[look]?.client })
      expect(sent[look + 1]?.client).toBe(sent[look]?.client)
    } finally {
      spy.mockRestore()
    }
  })
})

import { createApi } from '@svc/api/app'
import { createLog } from '@svc/process/log'
import { LimitsEnvironment, limiterOf } from '@svc/service/limits'
import { type Hooked, test } from '@svc/domain/testing/hooked-world'
import { claimBody } from '@svc/domain/testing/runner'
import { verifies } from '@svc/testing/verifies'
import { describe, expect } from 'vitest'

const log = createLog({ name: 'test', level: 'silent' })
const limiter = limiterOf(LimitsEnvironment.parse({}))
const incoming = { socket: { remoteAddress: '127.0.0.1' } }
const note = { type: 'next_steps', label: 'Next', contentText: 'Ship it' }

/** Calls by method and path as they are written down for clients, and by nothing that the service derives them from. */
function clientOf({ domain, alice }: Pick<Hooked, 'domain' | 'alice'>) {
  const api = createApi({ domain, log, limiter, baseUrl: () => 'http://localhost' })
  return async (method: string, path: string, given?: object, token = alice.token) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const body = given && { body: JSON.stringify(given) }
    const answer = await api.request(path, { method, headers, ...body }, { incoming })
    // every answer that is asked for here is an object
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }
}

describe('by its path', () => {
  test(
    verifies('rest.launch', 'an objective is launched with agent, model and effort'),
    async ({ hooked, world }) => {
      const send = clientOf(hooked)
      const { alice, mission } = await world.missionWith(['write the docs'])
      const [objective] = mission.objectives
      const choice = { agent: 'claude', model: 'large', reasoningEffort: 'high' }

      const { status, body } = await send('POST', `/api/objectives/${objective.id}/launch`, choice)

      expect(status).toBe(201)
      expect(body['executionRequest']).toMatchObject({
        agent: 'claude',
        objectiveId: objective.id,
        attempt: 1,
      })
      expect(await alice.objective(objective)).toMatchObject({
        state: 'launching',
        assigned_agent: 'claude',
        model: 'large',
        reasoning_effort: 'high',
      })
    },
  )

  test(
    verifies('rest.claim', 'a runner takes what is of its projects, known by its device'),
    async ({ hooked, world }) => {
      const send = clientOf(hooked)
      const { alice, project, mission } = await world.missionWith(['write the docs'])
      const elsewhere = await world.projectWith()
      const runner = await alice.withPreset('runner')
      const claim = (projectIds: string[], fingerprint: string) =>
        send(
          'POST',
          '/api/runner/claim',
          claimBody({ projectIds }, fingerprint, crypto.randomUUID()),
          runner.token,
        )
      const known = async () => (await alice.call('listRunners', {})).runners.length
      await claim([], 'device-one')
      await alice.launch(mission.objectives[0])

      expect((await claim([elsewhere.id], 'device-one')).body['request']).toBeNull()
      expect(await known()).toBe(1)
      expect((await claim([elsewhere.id], 'device-two')).body['request']).toBeNull()
      expect(await known()).toBe(2)
      expect(await claim([project.id], 'device-one')).toMatchObject({
        status: 200,
        body: { request: { objective: { id: mission.objectives[0].id } } },
      })
    },
  )

  test(
    verifies(
      ['rest.artifact-create', 'rest.artifact-revise'],
      'an artifact is made of a mission, and revised',
    ),
    async ({ hooked, world }) => {
      const send = clientOf(hooked)
      const { mission } = await world.missionWith([])
      const made = await send('POST', `/api/missions/${mission.id}/artifacts`, note)
      expect(made).toMatchObject({
        status: 201,
        body: { artifact: { ...note, missionId: mission.id, revision: 1 } },
      })
      const [artifact] = (await hooked.alice.call('listArtifacts', { id: mission.id })).artifacts
      const id = artifact?.id ?? ''
      const change = { expectedRevision: 1, label: 'Later' }
      expect(
        await send('PATCH', `/api/missions/${mission.id}/artifacts/${id}`, change),
      ).toMatchObject({
        status: 200,
        body: { artifact: { ...note, id, label: 'Later', revision: 2 } },
      })
    },
  )

  test(
    verifies('rest.webhook-create', 'a subscription is made of name, endpoint, events and payload'),
    async ({ hooked }) => {
      const input = {
        name: 'Hook',
        endpointUrl: hooked.receiver.url,
        eventTypes: ['mission.delivered', 'mission.blocked'],
        payloadMode: 'full',
      }
      const made = await clientOf(hooked)('POST', '/api/webhooks', input)
      expect(made).toMatchObject({ status: 201, body: { webhook: input } })
      const { webhooks } = await hooked.alice.call('listWebhooks', {})
      expect(webhooks).toEqual([made.body['webhook']])
    },
  )

  test(verifies('rest.user-tokens', 'a token is minted that works'), async ({ hooked }) => {
    const send = clientOf(hooked)
    const order = { label: 'laptop', preset: 'read_only' }
    const minted = await send('POST', '/api/user-tokens', order)
    expect(minted).toMatchObject({ status: 201, body: { userToken: order } })
    expect(await send('GET', '/api/me', undefined, String(minted.body['token']))).toMatchObject({
      status: 200,
      body: { token: { label: 'laptop' } },
    })
  })

  test(
    verifies(
      [
        'rest.mission-read',
        'rest.mission-events',
        'rest.mission-file-changes',
        'rest.mission-artifacts',
      ],
      'a mission, its events, file changes and artifacts are read, and so by the links of a webhook',
    ),
    async ({ hooked, world }) => {
      const send = clientOf(hooked)
      const { mission } = await world.missionWith(['write the docs'])
      const { agent } = await world.attachedRun(mission.objectives[0])
      const why = { filePath: 'a.ts', label: 'l', summary: 's', why: 'w', impact: 'i' }
      await agent.deliver({ summary: 'Done.', artifacts: [note], changeRationales: [why] })
      await hooked.subscribe()
      await hooked.moveMission({ missionId: mission.id })
      await hooked.deliverDue()
      const links = {
        mission: `/api/missions/${mission.id}`,
        events: `/api/missions/${mission.id}/events`,
        fileChanges: `/api/missions/${mission.id}/file-changes`,
        artifacts: `/api/missions/${mission.id}/artifacts`,
      }
      const sent: unknown = hooked.receiver.posts.at(-1)?.body['links']
      expect(sent).toEqual(links)

      const read = async (path: string) => {
        const { status, body } = await send('GET', path)
        expect(status).toBe(200)
        return body
      }
      expect(await read(links.mission)).toMatchObject({ mission: { id: mission.id } })
      expect(await read(links.events)).toMatchObject({
        events: expect.arrayContaining([expect.objectContaining({ type: 'delivery' })]),
      })
      expect(await read(links.fileChanges)).toMatchObject({
        fileChanges: [{ filePath: 'a.ts', rationale: { why: 'w' } }],
      })
      expect(await read(links.artifacts)).toMatchObject({ artifacts: [note] })
    },
  )
})

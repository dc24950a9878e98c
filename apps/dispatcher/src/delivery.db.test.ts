import { createHmac } from 'node:crypto'
import { ThinEnvelope } from '@svc/contracts/webhook-envelope'
import { queues } from '@svc/domain/jobs/jobs'
import { openReceiver } from '@svc/testing/receiver'
import { verifies } from '@svc/testing/verifies'
import { describe, expect } from 'vitest'
import { test } from './testing/dispatched-world.ts'

describe('a delivery', () => {
  test(
    verifies(
      ['webhook.signed-post', 'webhook.sig-header', 'webhook.sig-format', 'webhook.sig-hmac'],
      'is a POST that each subscriber can verify with its own secret alone',
    ),
    async ({ hooked }) => {
      const { alice, dispatcher, moveMission, receiver, subscribe } = hooked
      const [first, second] = [await subscribe(), await subscribe()]
      await moveMission()
      await dispatcher.drain()
      await alice.call('testWebhook', first)

      const signedBy = receiver.posts.map(({ headers, raw }) => {
        const value = String(headers['x-svc-signature'])
        expect(value).toMatch(/^t=\d{10},v1=[0-9a-f]{64}$/)
        const [, t, v1] = /t=(\d+),v1=(.+)/.exec(value) ?? []
        const by = [first, second].map(({ secret }) =>
          createHmac('sha256', secret).update(`${t}.`).update(raw).digest('hex'),
        )
        return by.indexOf(v1 ?? '')
      })
      expect(new Set(signedBy.slice(0, 2))).toEqual(new Set([0, 1]))
      expect(signedBy[2]).toBe(0)
    },
  )

  test(
    verifies(
      [
        'webhook.header-event',
        'webhook.header-delivery',
        'webhook.header-workspace',
        'envelope.id',
        'envelope.occurred-at',
      ],
      'names event, workspace and itself in headers, and keeps its name and bytes when it is sent again',
    ),
    async ({ hooked }) => {
      const { dispatcher, moveMission, nextAttempt, receiver, subscribe, world } = hooked
      const subscription = await subscribe()
      await subscribe()
      receiver.answer(500)
      await moveMission()
      await dispatcher.drain()
      await nextAttempt(subscription)

      expect(receiver.posts).toHaveLength(4)
      const byDelivery = Map.groupBy(receiver.posts, ({ headers }) => headers['x-svc-delivery'])
      expect([...byDelivery.values()].map((posts) => posts.length)).toEqual([2, 2])
      for (const [delivery, [sent, again]] of byDelivery) {
        expect(sent?.body.id).toBe(delivery)
        expect(again?.raw).toEqual(sent?.raw)
        expect(sent?.headers).toMatchObject({
          'x-svc-event': 'mission.status_changed',
          'x-svc-workspace': world.workspaceId,
          'content-type': 'application/json',
        })
      }
    },
  )

  test(
    verifies(
      ['webhook.outbox-first', 'webhook.not-in-request', 'event.mission-status-changed'],
      'waits in the outbox until a dispatcher runs, and is made once per real change',
    ),
    async ({ hooked }) => {
      const { alice, dispatcher, moveMission, receiver, startDispatcher, subscribe } = hooked
      await dispatcher[Symbol.asyncDispose]()
      await subscribe()
      const { missionId } = await moveMission()
      const { status } = await alice.mission({ id: missionId })
      await alice.call('moveMission', { id: missionId, statusId: status.id })
      expect(receiver.posts).toEqual([])

      await using another = startDispatcher()
      await another.drain()
      expect(receiver.posts.map((post) => post.body.type)).toEqual(['mission.status_changed'])
    },
  )

  test(
    verifies(
      [
        'event.mission-delivered',
        'event.objective-completed',
        'envelope.delivery',
        'envelope.objective',
        'envelope.session',
      ],
      'reports delivered work and the completed objective',
    ),
    async ({ hooked, world }) => {
      const { dispatcher, receiver, subscribe } = hooked
      await subscribe({ eventTypes: ['mission.delivered', 'objective.completed'] })
      const { mission } = await world.missionWith(['write the docs'])
      const { agent } = await world.attachedRun(mission.objectives[0])
      const { deliveryId } = await agent.deliver()
      await dispatcher.drain()

      const bodies = receiver.posts.map((post) => ThinEnvelope.parse(post.body))
      expect(bodies.map((body) => body.type).toSorted()).toEqual([
        'mission.delivered',
        'objective.completed',
      ])
      for (const body of bodies) {
        expect(body).toMatchObject({
          mission: { id: mission.id },
          objective: { id: mission.objectives[0].id, title: 'write the docs', state: 'complete' },
          session: { agentIdentifier: 'scripted' },
        })
        expect(body.delivery).toEqual({ id: deliveryId })
      }
    },
  )

  test(verifies('webhook.matches-type', 'goes to those who list its type'), async ({ hooked }) => {
    const { dispatcher, log, publish, subscribe } = hooked
    const [a, b, both] = [
      await subscribe({ eventTypes: ['acme:thing'] }),
      await subscribe({ eventTypes: ['mission.blocked'] }),
      await subscribe({ eventTypes: ['acme:thing', 'mission.blocked'] }),
    ]
    await publish(1, { type: 'acme:thing' })
    await dispatcher.drain()
    const counts = [await log(a), await log(b), await log(both)].map((entries) => entries.length)
    expect(counts).toEqual([1, 0, 1])
  })

  test(
    verifies(
      'webhook.matches-project',
      'goes to those whose filter names its project or is not set',
    ),
    async ({ hooked, world }) => {
      const { dispatcher, log, moveMission, subscribe } = hooked
      const [project, other] = [await world.projectWith(), await world.projectWith()]
      const [own, foreign, all] = [
        await subscribe({ projectId: project.id }),
        await subscribe({ projectId: other.id }),
        await subscribe(),
      ]
      await moveMission({ projectId: project.id })
      await dispatcher.drain()
      const counts = [await log(own), await log(foreign), await log(all)].map((one) => one.length)
      expect(counts).toEqual([1, 0, 1])
    },
  )

  test(
    verifies('subscription.workspace-scope', 'never leaves its workspace'),
    async ({ hooked, world }) => {
      const { dispatcher, domain, publish, receiver, subscribe } = hooked
      await using foreign = await openReceiver()
      await subscribe()
      const { personWith } = await import('@svc/domain/testing/people')
      const carla = personWith(domain, world.carla.token)
      const { webhook } = await carla.call('createWebhook', {
        name: 'Hers',
        endpointUrl: foreign.url,
        eventTypes: ['mission.status_changed'],
      })
      await publish(100)
      const project = await carla.call('createProject', { name: 'Hers' })
      const { mission } = await carla.call('createMission', {
        projectId: project.project.id,
        title: 'Hers',
      })
      const { statuses } = await carla.call('listProjectStatuses', { id: project.project.id })
      const other = statuses.find((status) => status.id !== mission.status.id)
      await carla.call('moveMission', { id: mission.id, statusId: other?.id ?? '' })
      await dispatcher.drain()

      expect(receiver.posts).toHaveLength(100)
      expect(foreign.posts.map((post) => post.body['mission'])).toMatchObject([{ id: mission.id }])
      expect(new Set(receiver.posts.map((post) => post.headers['x-svc-workspace']))).toEqual(
        new Set([world.workspaceId]),
      )
      await carla.call('deleteWebhook', webhook)
    },
  )

  test('of an event that was handed on already is made once', async ({ hooked, world }) => {
    const { dispatcher, domain, publish, receiver, subscribe } = hooked
    await subscribe()
    const [eventId] = await publish(1)
    await domain.db.transaction().execute((tx) =>
      domain.jobs.insert(tx, queues.webhookEvent, {
        id: crypto.randomUUID(),
        data: { workspaceId: world.workspaceId, eventId },
      }),
    )
    await dispatcher.drain()
    await dispatcher.drain()
    expect(receiver.posts).toHaveLength(1)
  })

  test('is made for subscriptions that were there before the event', async ({ hooked }) => {
    const { dispatcher, publish, receiver, subscribe } = hooked
    await publish(1)
    await subscribe()
    await dispatcher.drain()
    expect(receiver.posts).toEqual([])
  })

  test(
    verifies('webhook.batch-claim', 'of many events is made by few claims'),
    async ({ hooked }) => {
      const { domain, publish, receiver, subscribe } = hooked
      await subscribe()
      const { fanOutDue } = await import('@svc/domain/webhooks/sending/fan-out')
      const { defaultTiming } = await import('@svc/domain/webhooks/sending/retry-schedule')
      await publish(30)
      expect(await fanOutDue(domain, defaultTiming)).toBe(30)
      await hooked.dispatcher.drain()
      expect(receiver.posts).toHaveLength(30)
    },
  )

  test(verifies('webhook.no-redirects', 'does not follow a redirect'), async ({ hooked }) => {
    const { dispatcher, log, publish, receiver, subscribe } = hooked
    await using elsewhere = await openReceiver()
    const subscription = await subscribe()
    receiver.answer((_, response) => {
      response.writeHead(307, { location: elsewhere.url }).end()
    })
    await publish(1)
    await dispatcher.drain()
    expect(elsewhere.posts).toEqual([])
    expect(await log(subscription)).toMatchObject([
      { state: 'pending', tries: [{ outcome: 'failed', error: 'http_307', status: 307 }] },
    ])
  })

  test(
    verifies('webhook.ordering-best-effort', 'that waits for its retry does not stop later ones'),
    async ({ hooked }) => {
      const { dispatcher, publish, receiver, subscribe } = hooked
      await subscribe()
      receiver.answer(503)
      await publish(1)
      await dispatcher.drain()
      receiver.answer(200)
      await publish(1)
      await dispatcher.drain()
      const [failed, later] = receiver.posts.map((post) => post.body.id)
      expect(receiver.posts).toHaveLength(2)
      expect(later).not.toBe(failed)
    },
  )

  test(
    verifies('subscription.old-secret-stops', 'is signed with the secret of the moment it starts'),
    async ({ hooked }) => {
      const { alice, dispatcher, nextAttempt, publish, receiver, subscribe } = hooked
      const subscription = await subscribe()
      receiver.answer(500)
      await publish(1)
      await dispatcher.drain()
      const { secret } = await alice.call('rotateWebhookSecret', subscription)
      await nextAttempt(subscription)

      const verifiesWith = receiver.posts.map(({ headers, raw }) => {
        const [, t, v1] = /t=(\d+),v1=(.+)/.exec(String(headers['x-svc-signature'])) ?? []
        const made = (key: string) =>
          createHmac('sha256', key).update(`${t}.`).update(raw).digest('hex')
        return [made(subscription.secret) === v1, made(secret) === v1]
      })
      expect(verifiesWith).toEqual([
        [true, false],
        [false, true],
      ])
    },
  )
})

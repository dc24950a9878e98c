import { test as base } from '@svc/testing/database'
import { openReceiver } from '@svc/testing/receiver'
import { describe, expect } from 'vitest'
import { openApp } from './support/app-process.ts'
import { besides, openService } from './support/service.ts'
import { type ReceivedSpan, receiveSpans } from './support/spans.ts'
import { until } from './support/until.ts'

const webhooks = { SVC_WEBHOOK_ALLOWED_HOSTS: '*@127.0.0.1' }

const test = base
  // oxlint-disable-next-line no-empty-pattern -- vitest reads here which other fixtures are needed: none
  .extend('receiver', { scope: 'file' }, async ({}, { onCleanup }) => {
    const receiver = await receiveSpans()
    onCleanup(() => receiver[Symbol.asyncDispose]())
    return receiver
  })
  .extend('service', { scope: 'file' }, async ({ database, receiver }, { onCleanup }) => {
    const traced = { ...webhooks, SVC_TRACES_URL: receiver.url }
    const service = await openService(database.connectionString, traced)
    onCleanup(() => service[Symbol.asyncDispose]())
    return service
  })
  // one run, from its launch to the webhook of its delivery
  .extend('carried', { scope: 'file' }, async ({ receiver, service }, { onCleanup }) => {
    const opened = new AsyncDisposableStack()
    onCleanup(() => opened.disposeAsync())
    const env = { ...besides(service), ...webhooks, SVC_TRACES_URL: receiver.url }
    const dispatcher = opened.use(await openApp('dispatcher', () => env))
    await dispatcher.start()
    const consumer = opened.use(await openReceiver())
    const scene = opened.use(await service.scene({ instructions: ['Build the secret pillar.'] }))
    const { webhook, secret } = await scene.client.call('createWebhook', {
      name: 'Chat',
      endpointUrl: `${consumer.url}?key=of-the-endpoint`,
      eventTypes: ['mission.delivered'],
      payloadMode: 'full',
    })
    await scene.machine()
    const run = await scene.launch()
    await scene.untilEnded()
    const story = traceOf(scene.objective.id)
    const inStory = () => receiver.spans.filter(({ traceId }) => traceId === story)
    const named = (name: string) => inStory().filter((span) => span.name === name)
    for (const name of way) await until(`${name} is traced`, () => named(name).length > 0)
    return { scene, run, webhook, secret, consumer, story, inStory, named }
  })

/** The spans of a run, from its launch to the webhook of its delivery. */
const way = [
  'execution_requested',
  'execution_claimed',
  'execution_launched',
  'session_attached',
  'delivery',
  'event mission.delivered',
  'fan-out',
  'webhook attempt',
]

const traceOf = (id: string) => id.replaceAll('-', '')

describe('a run', () => {
  test('is found by the id of its objective over all processes', async ({ carried }) => {
    const { scene, run, webhook, consumer, named, inStory } = carried
    const only = (name: string, parent?: ReceivedSpan): ReceivedSpan => {
      const [span, ...others] = named(name).filter(
        ({ parentSpanId }) => parent === undefined || parentSpanId === parent.spanId,
      )
      expect({ name, others }).toEqual({ name, others: [] })
      if (!span) throw new Error(`there is no span ${name}`)
      return span
    }
    for (const step of way.slice(0, 4)) {
      expect(only(step)).toMatchObject({
        service: 'svc-api',
        attributes: {
          'svc.mission.id': scene.mission.id,
          'svc.objective.id': scene.objective.id,
          'svc.execution_request.id': run.id,
        },
      })
    }
    const delivery = only('delivery')
    const event = only('event mission.delivered', delivery)
    // no other event of it has a subscriber
    const fanOut = only('fan-out', event)
    const attempt = only('webhook attempt', fanOut)
    expect(only('webhook attempt')).toBe(attempt)
    expect(event.service).toBe('svc-api')
    expect([fanOut.service, attempt.service]).toEqual(['svc-dispatcher', 'svc-dispatcher'])
    expect(fanOut.attributes['svc.event.deliveries']).toBe(1)
    expect(attempt.attributes).toMatchObject({
      'svc.mission.id': scene.mission.id,
      'svc.event.id': event.attributes['svc.event.id'],
      'svc.event.type': 'mission.delivered',
      'svc.webhook.id': webhook.id,
      'svc.webhook.delivery.id': consumer.posts[0]?.body.id,
      'svc.webhook.attempt': 1,
      'svc.webhook.outcome': 'success',
    })
    // nothing hangs on a span that is nowhere
    const ids = new Set(inStory().map(({ spanId }) => spanId))
    const lost = inStory().filter((it) => it.parentSpanId && !ids.has(it.parentSpanId))
    expect(lost).toEqual([])
  })

  test('is linked with the calls that carried it', async ({ carried, receiver }) => {
    const { named, story } = carried
    const calls = {
      execution_requested: 'POST /api/objectives/:id/launch',
      execution_claimed: 'POST /api/runner/claim',
      session_attached: 'POST /api/protocol/attach',
      delivery: 'POST /api/protocol/deliver',
    }
    for (const [step, route] of Object.entries(calls)) {
      const [link] = named(step).flatMap(({ links }) => links)
      const call = receiver.spans.find(({ spanId }) => spanId === link?.spanId)
      expect(call).toMatchObject({ name: route, traceId: link?.traceId })
      expect(call?.attributes['svc.request.id']).toMatch(/^[0-9a-f-]{36}$/)
    }
    const [launch] = named('execution_requested')
    const call = receiver.spans.find(({ spanId }) => spanId === launch?.links[0]?.spanId)
    expect(call?.links).toEqual([
      expect.objectContaining({ traceId: story, spanId: launch?.spanId }),
    ])
    const within = receiver.spans.filter(({ parentSpanId }) => parentSpanId === call?.spanId)
    expect(within.map(({ name }) => name)).toContain('transaction')
  })

  test('leaves no secret and nothing of what was said in its traces', ({
    carried,
    receiver,
    service,
  }) => {
    const { scene, secret } = carried
    const text = receiver.text()
    expect(text).toContain(scene.mission.id)
    for (const one of [...service.secrets, scene.token, secret]) expect(text).not.toContain(one)
    expect(text).not.toMatch(/whsec_|bearer|of-the-endpoint|secret pillar|bridge/i)
    const attributes = receiver.spans.flatMap((span) => Object.keys(span.attributes))
    expect(new Set(attributes.filter((one) => !/\.(id|type)$/.test(one)))).toEqual(
      new Set([
        'http.request.method',
        'http.route',
        'http.response.status_code',
        'svc.event.deliveries',
        'svc.webhook.attempt',
        'svc.webhook.outcome',
      ]),
    )
  })
})

describe('a call', () => {
  test('stands in the trace that its caller names, under the name of its route', async ({
    service,
    receiver,
  }) => {
    const [traceId, spanId] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']
    const answer = await fetch(`${service.baseUrl}/api/missions/x:1?q=nobody`, {
      headers: { traceparent: `00-${traceId}-${spanId}-01`, authorization: 'Bearer none' },
    })
    const find = () => receiver.spans.find((span) => span.traceId === traceId)
    const span = await until('the call is traced', find)
    expect(span).toMatchObject({ name: 'GET /api/missions/:id', parentSpanId: spanId })
    expect(span.attributes).toEqual({
      'http.request.method': 'GET',
      'http.route': '/api/missions/:id',
      'http.response.status_code': 401,
      'svc.request.id': answer.headers.get('x-request-id'),
    })
    expect(receiver.spans.filter(({ name }) => name.includes('readyz'))).toEqual([])
  })
})

import { restContracts } from '@svc/contracts/rest'
import { FullEnvelope } from '@svc/contracts/webhook-envelope'
import { callerWith } from '../../testing/caller.ts'
import { personWith } from '../../testing/people.ts'
import { verifies } from '@svc/testing/verifies'
import { describe, expect } from 'vitest'
import { test } from '../../testing/hooked-world.ts'

const input = {
  name: 'Hook',
  endpointUrl: 'https://example.com/hook',
  eventTypes: ['mission.delivered' as const],
  payloadMode: 'thin' as const,
}

/** A literal needs no DNS, so this is saved wherever the tests run. */
const publicUrl = 'https://93.184.215.14/hook'

const privateSpellings = [
  'https://127.0.0.2/',
  'https://2130706434/',
  'https://0x7f000002/',
  'https://0x7f.2/',
  'https://017700000002/',
  'https://127.2/',
  'https://127.0.0.2./',
  'https://①②⑦.⓪.⓪.②/',
  'https://0/',
  'https://10.0.0.1/',
  'https://192.168.1.1/',
  'https://169.254.169.254/latest/meta-data',
  'https://168.63.129.16/',
  'https://[::1]/',
  'https://[::ffff:127.0.0.2]/',
  'https://[::127.0.0.2]/',
  'https://[fd00::1]/',
  'https://[fe80::1]/',
  'https://[64:ff9b::7f00:2]/',
  'https://user@example.com/',
  'https://example.com:443@127.0.0.2/',
  'https://127.0.0.2\\@example.com/',
  'https://exa\nmple.com/',
  'https://metadata.internal/',
  'https://example.com:22/',
]

describe('a subscription', () => {
  test('is answered again to a call that is sent again, whatever the DNS says by then', async ({
    hooked,
  }) => {
    const { domain, world } = hooked
    const asked = { ...input, endpointUrl: publicUrl }
    const key = { idempotencyKey: 'made once' }
    const before = callerWith(domain, world.alice.token)
    const made = await before.call('createWebhook', asked, key)
    const { id, revision: expectedRevision } = made.webhook
    const renamed = { id, endpointUrl: publicUrl, name: 'Renamed', expectedRevision }
    const keyOfChange = { idempotencyKey: 'renamed once' }
    const changed = await before.call('updateWebhook', renamed, keyOfChange)
    const refused = { ok: false, rule: 'unresolvable', message: 'It has no address.' } as const
    const outbound = { ...domain.outbound, check: () => Promise.resolve(refused) }
    const alice = callerWith({ ...domain, outbound }, world.alice.token)
    expect(await alice.call('createWebhook', asked, key)).toEqual(made)
    expect(await alice.call('updateWebhook', renamed, keyOfChange)).toEqual(changed)
    await expect(alice.call('createWebhook', asked)).rejects.toMatchObject({
      code: 'endpoint_unresolvable',
    })
  })

  test(
    verifies(
      ['subscription.fields', 'subscription.secret-prefix', 'subscription.secret-once'],
      'is made with its secret, which no later answer holds',
    ),
    async ({ hooked }) => {
      const { alice } = hooked
      const project = await hooked.world.projectWith()
      const { webhook, secret } = await alice.call('createWebhook', {
        ...input,
        endpointUrl: publicUrl,
        projectId: project.id,
      })
      expect(secret).toMatch(/^whsec_[A-Za-z0-9_-]{43}$/)
      expect(webhook).toMatchObject({
        name: 'Hook',
        endpointUrl: publicUrl,
        eventTypes: ['mission.delivered'],
        projectId: project.id,
        payloadMode: 'thin',
        disabledReason: null,
      })
      const read = await alice.call('getWebhook', webhook)
      const listed = await alice.call('listWebhooks', {})
      expect(read).toEqual({ webhook })
      expect(JSON.stringify([read, listed])).not.toContain('whsec_')
      const { body } = restContracts.createWebhook
      expect(body.safeParse({ ...input, eventTypes: 'mission.delivered' }).success).toBe(false)
      expect(body.safeParse({ ...input, eventTypes: ['nonsense'] }).error?.message).toContain(
        'use mission.delivered, mission.status_changed,',
      )
      await expect(
        alice.call('createWebhook', { ...input, endpointUrl: 'no url' }),
      ).rejects.toThrow('endpointUrl')
    },
  )

  test(verifies('subscription.payload-mode', 'has one of two modes'), () => {
    const { body } = restContracts.createWebhook
    const takes = (payloadMode: string) => body.safeParse({ ...input, payloadMode }).success
    expect(['thin', 'full', 'fat', ''].map(takes)).toEqual([true, true, false, false])
  })

  test(
    verifies('subscription.rotation-shows-once', 'shows its new secret once when it is rotated'),
    async ({ hooked }) => {
      const { alice, subscribe } = hooked
      const subscription = await subscribe()
      const { secret, webhook } = await alice.call('rotateWebhookSecret', subscription)
      expect(secret).toMatch(/^whsec_/)
      expect(secret).not.toBe(subscription.secret)
      expect(JSON.stringify(await alice.call('getWebhook', webhook))).not.toContain('whsec_')
    },
  )

  test(
    verifies(
      ['subscription.admins-manage', 'rest.webhook-create-admin'],
      'is managed by admins alone',
    ),
    async ({ hooked, world }) => {
      const { alice, domain, subscribe } = hooked
      const subscription = await subscribe()
      const bob = personWith(domain, world.bob.token)
      const change = { ...subscription, expectedRevision: 1, name: 'Mine' }
      const { id } = subscription
      const calls = [
        () => bob.call('createWebhook', input),
        () => bob.call('checkEndpoint', { endpointUrl: publicUrl }),
        () => bob.call('listWebhooks', {}),
        () => bob.call('getWebhook', { id }),
        () => bob.call('updateWebhook', { id, expectedRevision: 1, name: change.name }),
        () => bob.call('enableWebhook', { id }),
        () => bob.call('disableWebhook', { id }),
        () => bob.call('rotateWebhookSecret', { id }),
        () => bob.call('testWebhook', { id }),
        () => bob.call('recoverWebhook', { id }),
        () => bob.call('listWebhookDeliveries', { id }),
        () => bob.call('resendWebhookDelivery', { id, deliveryId: id }),
        () => bob.call('deleteWebhook', { id }),
      ]
      const written = await world.rowsWrittenBy(async () => {
        for (const call of calls) await expect(call()).rejects.toMatchObject({ code: 'forbidden' })
      })
      expect(written.rows).toEqual([])
      const scoped = await alice.withPreset('mission_lifecycle')
      await expect(scoped.call('createWebhook', input)).rejects.toMatchObject({ code: 'forbidden' })
    },
  )

  test('of another workspace is not there', async ({ hooked, world }) => {
    const { domain, subscribe } = hooked
    const { id } = await subscribe()
    const carla = personWith(domain, world.carla.token)
    for (const call of [
      () => carla.call('getWebhook', { id }),
      () => carla.call('rotateWebhookSecret', { id }),
      () => carla.call('testWebhook', { id }),
      () => carla.call('recoverWebhook', { id }),
      () => carla.call('listWebhookDeliveries', { id }),
      () => carla.call('resendWebhookDelivery', { id, deliveryId: id }),
      () => carla.call('deleteWebhook', { id }),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: 'not_found' })
    }
  })

  test('is changed at the revision that was read', async ({ hooked }) => {
    const { alice, subscribe } = hooked
    const { id, revision } = await subscribe()
    const { webhook } = await alice.call('updateWebhook', {
      id,
      expectedRevision: revision,
      eventTypes: ['acme:thing'],
    })
    expect(webhook).toMatchObject({ revision: revision + 1, eventTypes: ['acme:thing'] })
    await expect(
      alice.call('updateWebhook', { id, expectedRevision: revision, name: 'Late' }),
    ).rejects.toMatchObject({ code: 'revision_mismatch' })
  })

  test('may name each type that is listed, the test delivery too', async ({ hooked }) => {
    const eventTypes = ['webhook.ping' as const, 'acme:thing']
    const { webhook } = await hooked.alice.call('createWebhook', {
      ...input,
      endpointUrl: hooked.receiver.url,
      eventTypes,
    })
    expect(webhook.eventTypes).toEqual(['webhook.ping', 'acme:thing'])
  })

  test.for(['Acme:Thing', 'acme:order/created', 'mission.finished'])(
    'is refused with the form of a type: %s',
    (eventType) => {
      const { error } = restContracts.createWebhook.body.safeParse({
        ...input,
        eventTypes: [eventType],
      })
      expect(error?.issues).toMatchObject([{ path: ['eventTypes', 0] }])
      expect(error?.issues[0]?.message).toContain('<namespace>:<name>, each of small letters')
    },
  )

  test('that is deleted is there no more, and its secret is gone', async ({ hooked }) => {
    const { alice, domain, subscribe } = hooked
    const { id } = await subscribe()
    await alice.call('deleteWebhook', { id })
    await expect(alice.call('getWebhook', { id })).rejects.toMatchObject({ code: 'not_found' })
    const row = await domain.db
      .selectFrom('webhook_subscriptions')
      .select('secret_ciphertext')
      .where('id', '=', id)
      .executeTakeFirst()
    expect(row).toEqual({ secret_ciphertext: null })
  })

  test('leaves its secret in no column', async ({ hooked }) => {
    const { alice, deliverDue, domain, publish, subscribe } = hooked
    const secrets: string[] = []
    for (let made = 0; made < 5; made += 1) {
      const subscription = await subscribe()
      const rotated = await alice.call('rotateWebhookSecret', subscription, {
        idempotencyKey: `rotate-${subscription.id}`,
      })
      secrets.push(subscription.secret, rotated.secret)
    }
    await publish(1)
    await deliverDue()
    const tables = await domain.db.introspection.getTables()
    const boss = ['pgboss.job', ...tables.map((table) => `${table.schema}.${table.name}`)]
    for (const table of new Set(boss)) {
      const rows = await domain.db
        .selectFrom(table as 'users')
        .selectAll()
        .execute()
      const text = JSON.stringify(rows, (_, value: unknown) =>
        Buffer.isBuffer(value) ? value.toString('latin1') : value,
      )
      for (const secret of secrets) expect(text).not.toContain(secret.slice('whsec_'.length))
    }
  })
})

describe('an endpoint', () => {
  test.for(privateSpellings)(
    verifies('error.endpoint-private-address', 'is refused when it is spelled %j'),
    async (endpointUrl, { hooked }) => {
      const { alice, subscribe, world } = hooked
      const { id, revision } = await subscribe()
      const written = await world.rowsWrittenBy(async () => {
        await expect(alice.call('createWebhook', { ...input, endpointUrl })).rejects.toMatchObject({
          code: 'validation_failed',
        })
        await expect(
          alice.call('updateWebhook', { id, expectedRevision: revision, endpointUrl }),
        ).rejects.toMatchObject({ code: 'validation_failed' })
      })
      expect(written.rows).toEqual([])
    },
  )

  test(
    verifies(
      ['subscription.https', 'error.endpoint-allowlisted'],
      'is https unless its host is allowed',
    ),
    async ({ hooked }) => {
      const { alice, subscribe } = hooked
      const { id, revision } = await subscribe()
      for (const endpointUrl of ['http://93.184.215.14/', 'ftp://93.184.215.14/']) {
        await expect(alice.call('createWebhook', { ...input, endpointUrl })).rejects.toThrow(
          /https/,
        )
        await expect(
          alice.call('updateWebhook', { id, expectedRevision: revision, endpointUrl }),
        ).rejects.toThrow(/https/)
      }
      const allowed = { ...input, endpointUrl: 'http://localhost:8080/hook' }
      expect((await alice.call('createWebhook', allowed)).webhook.endpointUrl).toBe(
        allowed.endpointUrl,
      )
    },
  )
})

test.for(['http://10.0.0.7:8080/hook', 'https://10.0.0.7/', 'https://relay.internal/'])(
  'an endpoint of a private network is refused with what opens it: %s',
  async (endpointUrl, { hooked }) => {
    const refused = hooked.alice.call('createWebhook', { ...input, endpointUrl })
    await expect(refused).rejects.toThrow(
      /opened for the workspace ([a-z0-9-]+) by .* SVC_WEBHOOK_ALLOWED_HOSTS as \1@/,
    )
    await expect(refused).rejects.toThrow(`@${new URL(endpointUrl).host}.`)
  },
)

describe('asking about an endpoint', () => {
  test(
    'says of each address what creating a webhook with it would',
    { tags: 'large' },
    async ({ hooked, world }) => {
      const { alice, receiver } = hooked
      const asked = [
        ...privateSpellings,
        'http://93.184.215.14/',
        'https://relay.internal/',
        'no url',
      ]
      for (const endpointUrl of asked) {
        const refused: unknown = await alice
          .call('createWebhook', { ...input, endpointUrl })
          .catch((error: unknown) => error)
        const written = await world.rowsWrittenBy(async () => {
          const { endpoint } = await alice.call('checkEndpoint', { endpointUrl })
          expect(endpoint).toMatchObject({ endpointUrl: null, isListed: false })
          expect(refused).toMatchObject({ code: endpoint.refusal?.code })
          expect(refused).toHaveProperty(
            'message',
            expect.stringContaining(endpoint.refusal?.message ?? 'a refusal'),
          )
        })
        expect(written).toEqual({ rows: [], refusal: undefined })
      }
      expect(receiver.posts).toEqual([])
    },
  )

  test('tells a host of the list from one of the internet, and sends nothing', async ({
    hooked,
  }) => {
    const { alice, receiver } = hooked
    const check = async (endpointUrl: string) =>
      (await alice.call('checkEndpoint', { endpointUrl })).endpoint
    expect(await check(publicUrl)).toEqual({
      endpointUrl: publicUrl,
      isListed: false,
      refusal: null,
    })
    expect(await check(receiver.url)).toEqual({
      endpointUrl: receiver.url,
      isListed: true,
      refusal: null,
    })
    expect(receiver.posts).toEqual([])
  })
})

describe('a test delivery', () => {
  test(
    verifies(
      ['event.webhook-ping', 'event.ping-synchronous', 'event.ping-logged'],
      'is sent while the caller waits, says what came back, and stands in the log',
    ),
    async ({ hooked }) => {
      const { alice, log, receiver, subscribe } = hooked
      const subscription = await subscribe({ payloadMode: 'full' })
      receiver.answer((_, response) => {
        response.writeHead(202, { 'set-cookie': 'a=b' }).end('x'.repeat(5_000))
      })
      const answer = await alice.call('testWebhook', subscription)
      expect(answer).toMatchObject({
        delivery: { type: 'webhook.ping', state: 'delivered' },
        attempts: [{ status: 202, outcome: 'delivered', responseTruncated: true }],
      })
      expect(answer.attempts[0]?.responseBody).toHaveLength(1_024)
      expect(JSON.stringify(answer)).not.toContain('a=b')
      expect(FullEnvelope.parse(receiver.posts[0]?.body)).toMatchObject({
        type: 'webhook.ping',
        mission: { displayId: 'ping:0' },
      })
      expect((await log(subscription)).map((entry) => entry.id)).toEqual([answer.delivery.id])
    },
  )

  test(
    verifies('event.ping-no-retry', 'that fails is not sent again'),
    async ({ hooked, world }) => {
      const { alice, deliverDue, log, receiver, subscribe } = hooked
      const subscription = await subscribe()
      receiver.answer(500)
      const { delivery } = await alice.call('testWebhook', subscription)
      expect(delivery).toMatchObject({ state: 'failed', nextAttemptAt: null })
      await world.advance(2 * 86_400)
      await deliverDue()
      expect(receiver.posts).toHaveLength(1)
      expect(await log(subscription)).toHaveLength(1)
    },
  )

  test('can be made ten times a minute, also while it is disabled', async ({ hooked, world }) => {
    const { alice, subscribe } = hooked
    const subscription = await subscribe()
    await alice.call('disableWebhook', subscription)
    for (let sent = 0; sent < 10; sent += 1) await alice.call('testWebhook', subscription)
    await expect(alice.call('testWebhook', subscription)).rejects.toMatchObject({
      code: 'rate_limited',
    })
    await world.advance(61)
    await alice.call('testWebhook', subscription)
  })
})

test('every change of a subscription is in the audit trail, and none of its secrets', async ({
  hooked,
}) => {
  const { alice } = hooked
  const { webhook, secret } = await alice.call('createWebhook', {
    ...input,
    endpointUrl: publicUrl,
  })
  const { id } = webhook
  await alice.call('updateWebhook', { id, expectedRevision: 1, name: 'Renamed' })
  const rotated = await alice.call('rotateWebhookSecret', { id })
  await alice.call('disableWebhook', { id })
  await alice.call('disableWebhook', { id })
  await alice.call('enableWebhook', { id })
  await alice.call('deleteWebhook', { id })
  const { entries } = await alice.call('listAudit', {})
  const ofIt = entries.filter((one) => one.targetId === id)
  expect(ofIt.map(({ action, details }) => [action, details['name']])).toEqual([
    ['webhook.deleted', 'Renamed'],
    ['webhook.enabled', 'Renamed'],
    ['webhook.disabled', 'Renamed'],
    ['webhook.secret_rotated', 'Renamed'],
    ['webhook.changed', 'Renamed'],
    ['webhook.created', 'Hook'],
  ])
  expect(ofIt[4]?.details).toMatchObject({ before: { name: 'Hook' } })
  for (const one of [secret, rotated.secret]) expect(JSON.stringify(ofIt)).not.toContain(one)
})

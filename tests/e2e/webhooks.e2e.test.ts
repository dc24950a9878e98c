import { ApiEnvironment } from '@svc/api/env'
import { openApi } from '@svc/api/server'
import { runInTest } from '@svc/cli/testing/cli'
import { DispatcherEnvironment } from '@svc/dispatcher/env'
import { openDispatcher } from '@svc/dispatcher/server'
import { startDnsServer } from '@svc/outbound/testing/dns-server'
import { createLog } from '@svc/process/log'
import { openOutbound } from '@svc/outbound/open-outbound'
import { createTestDatabase } from '@svc/testing/database'
import { enrol } from '@svc/domain/testing/enrol'
import { sealKeys, secretKeys } from '@svc/domain/testing/open-process'
import { personWith } from '@svc/domain/testing/people'
import { openReceiver } from '@svc/testing/receiver'
import { verifies } from '@svc/testing/verifies'
import { expect, test } from 'vitest'

const log = createLog({ name: 'test', level: 'silent' })

async function openService() {
  await using opened = new AsyncDisposableStack()
  const database = opened.use(await createTestDatabase())
  const variables = {
    DATABASE_URL: database.connectionString,
    SVC_SECRET_KEYS: secretKeys,
    SVC_PORT: '0',
    SVC_DRAIN_SECONDS: '0',
    SVC_NOTIFY: 'off',
    SVC_WEBHOOK_ALLOWED_HOSTS: '*@127.0.0.1',
  }
  const environment = ApiEnvironment.parse(variables)
  const api = opened.use(await openApi({ environment, log }))
  const { domain } = api
  await sealKeys(domain)
  const dispatching = DispatcherEnvironment.parse(variables)
  const dispatcher = opened.use(await openDispatcher({ environment: dispatching, log }))
  const receiver = opened.use(await openReceiver())
  const alice = await enrol(domain, { workspace: 'here', name: 'alice' })
  const resources = opened.move()
  const svc = async (...words: string[]) => {
    const env = { SVC_BACKEND_URL: api.url, SVC_USER_TOKEN: alice.token }
    const result = await runInTest(env, 'webhooks', ...words)
    if (result.code !== 0) throw new Error(result.stderr)
    return result.stdout
  }
  return {
    domain,
    dispatcher,
    receiver,
    alice,
    svc,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

test(
  'an admin sets up a webhook from the command line and hears of changes',
  { tags: 'large' },
  async () => {
    await using service = await openService()
    const { alice, receiver, svc } = service
    const secret = await svc(
      'create',
      'Chat',
      '--endpoint',
      receiver.url,
      '--event',
      'mission.status_changed',
    )
    expect(secret).toMatch(/^whsec_[\w-]{43}\n$/)
    const { webhooks } = JSON.parse(await svc('list', '--json')) as { webhooks: { id: string }[] }
    const id = webhooks[0]?.id ?? ''
    expect(await svc('show', id)).toContain(receiver.url)
    expect(await svc('test', id)).toContain('delivered')
    expect(await svc('update', id, '--mode', 'full')).toContain('full')

    const { project } = await alice.call('createProject', { name: 'Web' })
    const { mission } = await alice.call('createMission', { projectId: project.id, title: 'Dark' })
    const { statuses } = await alice.call('listProjectStatuses', { id: project.id })
    const other = statuses.find((status) => status.id !== mission.status.id)
    await alice.call('moveMission', { id: mission.id, statusId: other?.id ?? '' })
    await expect.poll(() => receiver.posts.length).toBe(2)

    await expect
      .poll(() => svc('deliveries', id, '--state', 'delivered'))
      .toContain('mission.status_changed')
    const delivery = receiver.posts[1]?.body.id ?? ''
    expect(await svc('deliveries', id, delivery)).toContain('noted')
    expect(await svc('rotate-secret', id)).not.toBe(secret)
    expect(await svc('disable', id)).toContain('disabled (manual)')
    await alice.call('moveMission', { id: mission.id, statusId: mission.status.id })
    await expect
      .poll(() => svc('deliveries', id, '--state', 'held'))
      .toContain('mission.status_changed')
    expect(await svc('enable', id)).toContain('enabled')
    expect(await svc('recover', id)).toContain('recovered 1, still held 0')
    await expect.poll(() => receiver.posts.length).toBe(3)
    expect(await svc('resend', id, delivery)).toContain(delivery)
    await expect.poll(() => receiver.posts.length).toBe(4)
    expect(receiver.posts[3]?.body.id).toBe(delivery)
    await svc('delete', id)
    await expect(svc('show', id)).rejects.toThrow('not_found')
  },
)

test(
  verifies(
    'error.endpoint-private-address',
    'an endpoint is not saved when its name leads into a private network, in part or whole',
  ),
  async () => {
    const inside = ['10.0.0.5', '172.16.0.1', '192.168.1.1', '169.254.169.254', '127.0.0.1']
    const zone: Record<string, string[]> = {
      'public.example': ['93.184.215.14'],
      ...Object.fromEntries(inside.map((address, index) => [`name${index}.example`, [address]])),
      'six.example': ['fd00::1'],
      'self.example': ['::1'],
      'half.example': ['93.184.215.14', '10.0.0.5'],
    }
    await using service = await openService()
    await using dns = await startDnsServer((name) => ({ addresses: zone[name] ?? [] }))
    const { domain, alice: known } = service
    const outbound = openOutbound([], [dns.address])
    const alice = personWith({ ...domain, outbound }, known.token)
    const input = { name: 'Chat', eventTypes: ['mission.delivered'] }
    const save = (host: string) =>
      alice.call('createWebhook', { ...input, endpointUrl: `https://${host}/hook` })

    const { webhook } = await save('public.example')
    const { id, revision } = webhook
    for (const host of Object.keys(zone).filter((name) => name !== 'public.example')) {
      const refused = {
        code: 'validation_failed',
        message: expect.stringContaining('not in the public internet'),
      }
      await expect(save(host)).rejects.toMatchObject(refused)
      const endpointUrl = `https://${host}/hook`
      await expect(
        alice.call('updateWebhook', { id, expectedRevision: revision, endpointUrl }),
      ).rejects.toMatchObject(refused)
    }
    expect((await alice.call('listWebhooks', {})).webhooks).toEqual([webhook])
  },
)

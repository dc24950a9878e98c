import { randomBytes } from 'node:crypto'
import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { createClient } from '@svc/client/client'
import { toolNames } from '@svc/contracts/mcp/tools'
import { openReceiver } from '@svc/testing/receiver'
import { createTestDatabase } from '@svc/testing/database'
import { expect, inject, test } from 'vitest'
import { type AppName, openApp } from './support/app-process.ts'
import { startNode } from './support/processes.ts'
import { programs } from './support/programs.ts'
import { until } from './support/until.ts'

/** The service as its operator sets it up: a database, and processes that know nothing of each other. */
function openParts(databaseUrl: string) {
  const opened = new AsyncDisposableStack()
  const shared = {
    DATABASE_URL: databaseUrl,
    SVC_SECRET_KEYS: `e2e:${randomBytes(32).toString('base64')}`,
    SVC_WEBHOOK_ALLOWED_HOSTS: '*@127.0.0.1',
  }
  return {
    async admin(...words: string[]) {
      const started = startNode(programs.admin, words, { env: shared })
      const { code } = await started.ended
      return { code, stdout: started.stdout(), output: started.output() }
    },
    async start(app: AppName, env: NodeJS.ProcessEnv = {}) {
      const environment = (url: string) => ({ ...shared, SVC_BASE_URL: url, ...env })
      const served = opened.use(await openApp(app, environment))
      await served.start()
      return served.url
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

async function listTools(url: string, token: string): Promise<string[]> {
  const client = new McpClient({ name: 'test', version: '1' })
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit }))
  const { tools } = await client.listTools()
  await client.close()
  return tools.map(({ name }) => name)
}

const owner = ['--workspace', 'acme', '--workspace-name', 'Acme', '--email', 'owner@example.com']

test('migrated, given an owner and started in parts, it answers, lists its tools and sends webhooks', async () => {
  await using database = await createTestDatabase()
  await using parts = openParts(database.connectionString)
  await using receiver = await openReceiver()
  expect(await parts.admin('migrate')).toMatchObject({ code: 0 })
  const created = await parts.admin('create-owner', ...owner, '--name', 'Owner')
  expect(created.code).toBe(0)
  const token = created.stdout.trim()

  const [apiUrl, gatewayUrl] = await Promise.all([
    parts.start('api'),
    parts.start('mcp-gateway', { SVC_MCP_ENABLED: 'true' }),
    parts.start('dispatcher'),
  ])

  const client = createClient({ baseUrl: apiUrl, token })
  const me = await client.call('getMe', {})
  expect(me).toMatchObject({ user: { email: 'owner@example.com' } })
  expect((await listTools(gatewayUrl, token)).toSorted()).toEqual([...toolNames].toSorted())

  for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png']) {
    expect(await fetch(`${apiUrl}/api/docs/${name}`)).toMatchObject({ status: 200 })
  }

  await client.call('createWebhook', {
    name: 'Chat',
    endpointUrl: receiver.url,
    eventTypes: ['mission.status_changed'],
  })
  const { project } = await client.call('createProject', { name: 'Web' })
  const { mission } = await client.call('createMission', { projectId: project.id, title: 'Dark' })
  const { statuses } = await client.call('listProjectStatuses', { id: project.id })
  const other = statuses.find((status) => status.id !== mission.status.id)
  await client.call('moveMission', { id: mission.id, statusId: other?.id ?? '' })
  await until('the webhook arrived', () => receiver.posts.length === 1)
})

test('svc-admin says what is missing: the right option, or the schema', async () => {
  await using parts = openParts(inject('postgres').url)
  const name = ['--name', 'Owner']
  const [bad, early] = await Promise.all([
    parts.admin('create-owner', ...owner, ...name, '--workspace', 'A B'),
    parts.admin('create-owner', ...owner, ...name),
  ])
  expect(bad).toMatchObject({ code: 2, stdout: '' })
  expect(bad.output).toContain('--workspace: use 1 to 40')
  expect(early).toMatchObject({ code: 1, stdout: '' })
  expect(early.output).toContain('svc-admin migrate')
})

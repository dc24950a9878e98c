import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { createClient } from '@svc/client/client'
import { test as base } from '@svc/testing/database'
import { highLimits } from '@svc/testing/high-limits'
import { expect } from 'vitest'
import { freePort } from '@svc/testing/free-port'
import { type Started, startNode } from './support/processes.ts'
import { type Service, openService } from './support/service.ts'
import { until } from './support/until.ts'

const gatewayMain = fileURLToPath(import.meta.resolve('@svc/mcp-gateway/main'))

const clients = 8

const test = base.extend('service', { scope: 'file' }, async ({ database }, { onCleanup }) => {
  const service = await openService(database.connectionString, highLimits)
  onCleanup(() => service[Symbol.asyncDispose]())
  return service
})

interface Stopped {
  baseUrl: string
  process: Started
}

interface Call {
  path: string
  body: unknown
  headers?: Readonly<Record<string, string>>
}

type MakeMission = (projectId: string, title: string) => Call

/** One client on a kept connection, which posts until nobody answers any more. */
interface Poster {
  /** The titles whose call was answered, whole and with success. */
  answered: string[]
  /** What came instead. */
  others: string[]
  gone: Promise<void>
}

function startPoster(baseUrl: string, token: string, callOf: (title: string) => Call): Poster {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const answered: string[] = []
  const others: string[] = []
  async function postAll(): Promise<void> {
    for (;;) {
      const title = `Mission ${randomUUID()}`
      const answer = await post(agent, baseUrl, token, callOf(title)).catch(() => undefined)
      if (answer === undefined) break
      if (answer.status === 200 || answer.status === 201) answered.push(title)
      else others.push(`${answer.status} ${answer.text}`)
    }
    agent.destroy()
  }
  return { answered, others, gone: postAll() }
}

async function post(agent: Agent, baseUrl: string, token: string, { path, body, headers }: Call) {
  const sending = request(new URL(path, baseUrl), {
    agent,
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
  })
  sending.end(JSON.stringify(body))
  const [response] = (await once(sending, 'response')) as [IncomingMessage]
  const text = Buffer.concat(await response.toArray()).toString('utf8')
  return { status: response.statusCode, text }
}

async function startGateway({ secrets: [databaseUrl, secretKeys] }: Service): Promise<Stopped> {
  const port = await freePort()
  const baseUrl = `http://127.0.0.1:${port}`
  const process = startNode(gatewayMain, [], {
    env: {
      DATABASE_URL: databaseUrl,
      SVC_SECRET_KEYS: secretKeys,
      SVC_PORT: String(port),
      SVC_BASE_URL: baseUrl,
      SVC_MCP_ENABLED: 'true',
      SVC_DRAIN_SECONDS: '0',
      ...highLimits,
    },
  })
  const isReady = () =>
    fetch(`${baseUrl}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  await until('the gateway is ready', isReady, { details: process.output })
  return { baseUrl, process }
}

async function titlesIn(service: Service, projectId: string): Promise<string[]> {
  const rows = await service.domain.db
    .selectFrom('missions')
    .select('title')
    .where('project_id', '=', projectId)
    .execute()
  return rows.map(({ title }) => title)
}

export const kinds: {
  name: string
  start: (service: Service) => Promise<Stopped>
  call: MakeMission
}[] = [
  {
    name: 'the API',
    start: async (service) => ({ baseUrl: service.baseUrl, process: service.api() }),
    call: (projectId, title) => ({ path: '/api/missions', body: { projectId, title } }),
  },
  {
    name: 'the gateway',
    start: async (service) => {
      await service.start()
      return startGateway(service)
    },
    call: (projectId, title) => ({
      path: '/mcp',
      headers: { 'mcp-protocol-version': '2025-06-18' },
      body: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'svc_create_mission', arguments: { projectId, title } },
      },
    }),
  },
]

export function leavesNothingUnanswered(rows: readonly (typeof kinds)[number][]): void {
  test.for(rows)(
    'to $name leaves nothing done that was not answered',
    async ({ start, call }, { service }) => {
      const token = await service.token()
      const client = createClient({ baseUrl: service.baseUrl, token })
      const stopped = await start(service)
      const { project } = await client.call('createProject', { name: `Stops ${randomUUID()}` })
      const posters = Array.from({ length: clients }, () =>
        startPoster(stopped.baseUrl, token, (title) => call(project.id, title)),
      )
      await until('each client has posted', () =>
        posters.every(({ answered }) => answered.length > 1),
      )
      stopped.process.kill('SIGTERM')
      expect(await stopped.process.ended).toEqual({ code: 0, signal: null })
      await Promise.all(posters.map(({ gone }) => gone))
      expect(posters.flatMap(({ others }) => others)).toEqual([])
      const answered = posters.flatMap((poster) => poster.answered)
      const made = await titlesIn(service, project.id)
      expect(made.filter((title) => !answered.includes(title))).toEqual([])
      expect(answered.filter((title) => !made.includes(title))).toEqual([])
    },
  )
}

import { randomUUID } from 'node:crypto'
import { Agent } from 'node:http'
import { createClient } from '@svc/client/client'
import { test as base } from '@svc/testing/database'
import { highLimits } from '@svc/testing/high-limits'
import { expect } from 'vitest'
import { type AppProcess, openApp } from './support/app-process.ts'
import { type Order, isMade, missionOrders, post, titlesIn } from './support/mission-posts.ts'
import { type Service, openService } from './support/service.ts'
import { until } from './support/until.ts'

const clients = 8

const test = base.extend('service', { scope: 'file' }, async ({ database }, { onCleanup }) => {
  const service = await openService(database.connectionString, highLimits)
  onCleanup(() => service[Symbol.asyncDispose]())
  return service
})

type MakeMission = (projectId: string, title: string) => Order

/** One client on a kept connection, which posts until nobody answers any more. */
interface Poster {
  /** The titles whose call was answered, whole and with success. */
  answered: string[]
  /** What came instead. */
  others: string[]
  gone: Promise<void>
}

function startPoster(baseUrl: string, token: string, callOf: (title: string) => Order): Poster {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const answered: string[] = []
  const others: string[] = []
  async function postAll(): Promise<void> {
    for (;;) {
      const title = `Mission ${randomUUID()}`
      const answer = await post(agent, { baseUrl, token }, callOf(title)).catch(() => undefined)
      if (answer === undefined) break
      if (isMade(answer)) answered.push(title)
      else others.push(`${answer.status} ${answer.text}`)
    }
    agent.destroy()
  }
  return { answered, others, gone: postAll() }
}

async function startGateway({ secrets: [databaseUrl, secretKeys] }: Service): Promise<AppProcess> {
  const gateway = await openApp('mcp-gateway', (url) => ({
    DATABASE_URL: databaseUrl,
    SVC_SECRET_KEYS: secretKeys,
    SVC_BASE_URL: url,
    SVC_MCP_ENABLED: 'true',
    ...highLimits,
  }))
  await gateway.start()
  return gateway
}

export const kinds: {
  name: string
  start: (service: Service) => Promise<Pick<AppProcess, 'url' | 'started'>>
  call: MakeMission
}[] = [
  {
    name: 'the API',
    start: async (service) => ({ url: service.baseUrl, started: service.api }),
    call: missionOrders.api,
  },
  {
    name: 'the gateway',
    start: async (service) => {
      await service.start()
      return startGateway(service)
    },
    call: missionOrders['mcp-gateway'],
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
        startPoster(stopped.url, token, (title) => call(project.id, title)),
      )
      await until('each client has posted', () =>
        posters.every(({ answered }) => answered.length > 1),
      )
      const { kill, ended } = stopped.started()
      kill('SIGTERM')
      expect(await ended).toEqual({ code: 0, signal: null })
      await Promise.all(posters.map(({ gone }) => gone))
      expect(posters.flatMap(({ others }) => others)).toEqual([])
      const answered = posters.flatMap((poster) => poster.answered)
      const made = await titlesIn(service.domain, project.id)
      expect(made.filter((title) => !answered.includes(title))).toEqual([])
      expect(answered.filter((title) => !made.includes(title))).toEqual([])
    },
  )
}

import { Agent } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { type Client, createClient } from '@svc/client/client'
import { type Receiver, openReceiver } from '@svc/testing/receiver'
import { type Carried, startCycles } from '../e2e/support/cycles.ts'
import { isMade, missionOrders, post } from '../e2e/support/mission-posts.ts'

interface Address {
  baseUrl: string
  token: string
}

const clients = 4
const readers = 10
const gatewayEveryMs = 250

/** Turns at a rate that may be set; until then each comes at once. What was missed is not made up for. */
export interface Pace {
  turn: () => Promise<void>
  set: (aSecond: number) => void
}

export function createPace(): Pace {
  let everyMs = 0
  let next = 0
  return {
    set: (aSecond) => void (everyMs = 1000 / aSecond),
    async turn() {
      const now = performance.now()
      const at = Math.max(next, now)
      next = at + everyMs
      await delay(at - now)
    },
  }
}

/** What a workspace at work asks of the parts, and what it is answered. */
export interface PartsLoad {
  readonly carried: readonly Carried[]
  /** Titles of missions made by tool calls at the gateway, as far as those were answered, and how many were not. */
  readonly posted: { readonly titles: readonly string[]; readonly cut: number }
  readonly receiver: Receiver
  /** How often each of those who follow the live feed has heard of each delivery. */
  readonly heard: readonly ReadonlyMap<string, number>[]
  readonly projectId: string
  /** Lets everybody end what they have begun; those who listen go on. */
  stop: () => Promise<void>
  [Symbol.asyncDispose]: () => Promise<void>
}

export async function openPartsLoad(to: Address, pace: Pace): Promise<PartsLoad> {
  await using opened = new AsyncDisposableStack()
  const receiver = opened.use(await openReceiver())
  const client = createClient({ ...to, retry: { attempts: Infinity, mostMs: 500 } })
  await client.call('createWebhook', {
    name: 'Soak',
    endpointUrl: receiver.url,
    eventTypes: ['mission.delivered'],
  })
  const { project } = await client.call('createProject', { name: 'Gateway' })
  const heard = await Promise.all(Array.from({ length: readers }, () => follow(client, opened)))
  const posting = startPosting(to, project.id)
  const cycles = startCycles(clients, to, pace.turn)
  const resources = opened.move()
  return {
    carried: cycles.carried,
    posted: posting,
    receiver,
    heard,
    projectId: project.id,
    async stop() {
      await Promise.all([cycles.stop(), posting.stop()])
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

/** Resolves once the feed has begun. Only deliveries are kept, since a long soak changes very much. */
async function follow(client: Client, opened: AsyncDisposableStack): Promise<Map<string, number>> {
  const heard = new Map<string, number>()
  const gone = new AbortController()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const reading = (async () => {
    for await (const { event, data } of client.feed({ signal: gone.signal })) {
      resolve()
      if (event !== 'change' || data.entity !== 'delivery') continue
      heard.set(data.entityId, (heard.get(data.entityId) ?? 0) + 1)
    }
  })()
  reading.catch(reject)
  opened.defer(async () => {
    gone.abort()
    await reading
  })
  await promise
  return heard
}

function startPosting(to: Address, projectId: string) {
  const titles: string[] = []
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  let cut = 0
  let count = 0
  let isOver = false
  async function postAll(): Promise<void> {
    while (!isOver) {
      const title = `Posted ${(count += 1)}`
      const order = missionOrders['mcp-gateway'](projectId, title)
      const answer = await post(agent, to, order).catch(() => undefined)
      // a tool that is refused says so in a good answer
      if (answer && isMade(answer) && !answer.text.includes('"isError":true')) titles.push(title)
      else cut += 1
      await delay(gatewayEveryMs)
    }
    agent.destroy()
  }
  const all = postAll()
  return {
    titles,
    get cut() {
      return cut
    },
    async stop() {
      isOver = true
      await all
    },
  }
}

import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'

export interface Call {
  title: string
  /** Whether it was begun when `countAsNew` had been called. */
  isNew: boolean
  /** Of its answer; undefined where none came. */
  status: number | undefined
}

export interface Order {
  path: string
  body: unknown
  headers?: Readonly<Record<string, string>>
}

export interface Clients {
  /** What has ended so far. */
  readonly calls: readonly Call[]
  /** Calls that are begun from now on are new. */
  countAsNew: () => void
  /** Lets each end what it has begun. */
  stop: () => Promise<void>
}

/** Clients on kept connections that post again and again, and never the same twice. */
export function startClients(
  many: number,
  baseUrl: string,
  token: string,
  orderOf: (title: string) => Order,
): Clients {
  const calls: Call[] = []
  let isNew = false
  let isOver = false
  async function post(agent: Agent): Promise<void> {
    const call: Call = { title: `Mission ${randomUUID()}`, isNew, status: undefined }
    const { path, body, headers } = orderOf(call.title)
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
    try {
      const [response] = (await once(sending, 'response')) as [IncomingMessage]
      await response.toArray()
      call.status = response.statusCode
    } catch {
      // it has no answer
    }
    calls.push(call)
  }
  async function postAll(): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    while (!isOver) await post(agent)
    agent.destroy()
  }
  const all = Promise.all(Array.from({ length: many }, postAll))
  return {
    calls,
    countAsNew: () => void (isNew = true),
    async stop() {
      isOver = true
      await all
    },
  }
}

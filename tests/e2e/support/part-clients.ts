import { randomUUID } from 'node:crypto'
import { Agent } from 'node:http'
import { type Order, post } from './mission-posts.ts'

export interface Call {
  title: string
  /** Whether it was begun when `countAsNew` had been called. */
  isNew: boolean
  /** Of its answer; undefined where none came. */
  status: number | undefined
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
  to: { baseUrl: string; token: string },
  orderOf: (title: string) => Order,
): Clients {
  const calls: Call[] = []
  let isNew = false
  let isOver = false
  async function postNext(agent: Agent): Promise<void> {
    const call: Call = { title: `Mission ${randomUUID()}`, isNew, status: undefined }
    const answer = await post(agent, to, orderOf(call.title)).catch(() => undefined)
    calls.push({ ...call, status: answer?.status })
  }
  async function postAll(): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    while (!isOver) await postNext(agent)
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

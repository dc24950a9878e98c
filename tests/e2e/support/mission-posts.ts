import { once } from 'node:events'
import { type Agent, type IncomingMessage, request } from 'node:http'
import type { Domain } from '@svc/domain/domain'

/** A call that makes something. */
export interface Order {
  path: string
  body: unknown
  headers?: Readonly<Record<string, string>>
}

/** How each part that takes calls is asked to make a mission. */
export const missionOrders = {
  api: (projectId, title) => ({ path: '/api/missions', body: { projectId, title } }),
  'mcp-gateway': (projectId, title) => ({
    path: '/mcp',
    headers: { 'mcp-protocol-version': '2025-06-18' },
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'svc_create_mission', arguments: { projectId, title } },
    },
  }),
} as const satisfies Record<string, (projectId: string, title: string) => Order>

interface Answer {
  status: number | undefined
  text: string
}

/** Sends it by a connection of the agent, and rejects where no whole answer comes. */
export async function post(
  agent: Agent,
  { baseUrl, token }: { baseUrl: string; token: string },
  { path, body, headers }: Order,
): Promise<Answer> {
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

export const isMade = ({ status }: Pick<Answer, 'status'>) => status === 200 || status === 201

export async function titlesIn({ db }: Domain, projectId: string): Promise<string[]> {
  const missions = db.selectFrom('missions').select('title').where('project_id', '=', projectId)
  return (await missions.execute()).map(({ title }) => title)
}

/**
 * What the SDKs' own documentation shows, and nothing of the gateway: hono, a token look-up, a server for each request.
 * Its tools run the statements that the gateway's run and answer the same bytes.
 */
import type { Server as HttpServer } from 'node:http'
import { serve } from '@hono/node-server'
import { Server as LegacyServer } from '@modelcontextprotocol/sdk/server/index.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { Server as ModernServer, createMcpHandler } from '@modelcontextprotocol/server'
import type { ToolDescription } from '@svc/contracts/mcp/describe-tool'
import { parseKeyRing } from '@svc/domain/common/key-ring'
import { Hono } from 'hono'
import pg from 'pg'
import { serveOrder } from './serve-order.ts'

export interface Statement {
  sql: string
  parameters: readonly unknown[]
}

/** Sent to the process once; it answers with its port. */
export interface BareOrder {
  databaseUrl: string
  secretKeys: string
  poolSize: number
  tools: ToolDescription[]
  /** Its binary parameter stands for the digest of the token. */
  tokenStatement: Statement
  /** By the tool's name. */
  calls: Record<string, { statements: Statement[]; output: Record<string, unknown> }>
}

interface Answers {
  list: () => { tools: ToolDescription[] }
  call: (name: string) => Promise<CallToolResult>
}

const info = { name: 'bare', version: '1' }

function open(order: BareOrder): { server: HttpServer; pool: pg.Pool } {
  const pool = openPool(order)
  const keys = parseKeyRing(order.secretKeys)
  const answers = answersFrom(pool, order)
  const app = new Hono()
  app.use(async (context, next) => {
    const bearer = context.req.header('authorization')?.slice('Bearer '.length) ?? ''
    const { mac } = keys.mac('tokens', bearer)
    const { sql, parameters } = order.tokenStatement
    const given = parameters.map((one) => (one instanceof Uint8Array ? mac : one))
    const found = await pool.query(sql, given)
    if (found.rows.length === 0) return context.json({ error: 'invalid_token' }, 401)
    return next()
  })
  app.post('/legacy', (context) => answerLegacy(context.req.raw, answers))
  const modern = createMcpHandler(() => modernServer(answers), { legacy: 'reject' })
  app.post('/modern', (context) => modern.fetch(context.req.raw))
  const fetch = (request: Request) => app.fetch(request)
  const server = serve({ fetch, port: 0, hostname: '127.0.0.1', overrideGlobalObjects: false })
  // without options for another one it is a server of node:http
  return { server: server as HttpServer, pool }
}

/** With the settings of the service's own pool. */
function openPool({ databaseUrl, poolSize }: BareOrder): pg.Pool {
  return new pg.Pool({
    connectionString: databaseUrl,
    max: poolSize,
    connectionTimeoutMillis: 5_000,
    statement_timeout: 30_000,
    lock_timeout: 5_000,
    idle_in_transaction_session_timeout: 30_000,
  })
}

function answersFrom(pool: pg.Pool, { tools, calls }: BareOrder): Answers {
  return {
    list: () => ({ tools }),
    async call(name) {
      const { statements, output } = calls[name] ?? { statements: [], output: {} }
      for (const { sql, parameters } of statements) await pool.query(sql, [...parameters])
      const text = JSON.stringify(output)
      return { content: [{ type: 'text', text }], structuredContent: output }
    },
  }
}

async function answerLegacy(request: Request, answers: Answers): Promise<Response> {
  const server = new LegacyServer(info, { capabilities: { tools: {} } })
  // a tool's schema is a JSON Schema, which the SDK's type spells in a way of its own
  server.setRequestHandler(ListToolsRequestSchema, () => answers.list() as never)
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => answers.call(params.name))
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  // its optional callbacks are declared in a way that exactOptionalPropertyTypes cannot match
  await server.connect(transport as Parameters<typeof server.connect>[0])
  try {
    return await transport.handleRequest(request)
  } finally {
    await server.close()
  }
}

function modernServer(answers: Answers): ModernServer {
  const server = new ModernServer(info, { capabilities: { tools: {} } })
  // as above
  server.setRequestHandler('tools/list', () => answers.list() as never)
  server.setRequestHandler('tools/call', async ({ params }) => {
    const { content, structuredContent } = await answers.call(params.name)
    return { content, structuredContent } as never
  })
  return server
}

if (process.send) serveOrder(open)

/** Hono, a pool and nothing else: each path runs its statements, named, and answers what it was told. */
import type { Server } from 'node:http'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import pg from 'pg'
import type { Statement } from '../mcp-bare.ts'
import { serveOrder } from '../serve-order.ts'

export interface BareReadsOrder {
  databaseUrl: string
  poolSize: number
  /** By path. */
  answers: Record<string, { statements: Statement[]; output: unknown }>
}

function open({ databaseUrl, poolSize, answers }: BareReadsOrder): {
  server: Server
  pool: pg.Pool
} {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: poolSize })
  const app = new Hono()
  for (const [path, { statements, output }] of Object.entries(answers)) {
    app.get(path, async () => {
      for (const [index, { sql, parameters }] of statements.entries()) {
        await pool.query({ name: `${path} ${index}`, text: sql, values: [...parameters] })
      }
      return Response.json(output)
    })
  }
  const fetch = (request: Request) => app.fetch(request)
  const server = serve({ fetch, port: 0, hostname: '127.0.0.1', overrideGlobalObjects: false })
  // without options for another one it is a server of node:http
  return { server: server as Server, pool }
}

if (process.send) serveOrder(open)

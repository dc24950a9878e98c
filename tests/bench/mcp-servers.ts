import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { BareOrder } from './mcp-bare.ts'
import type { Era } from './mcp-load.ts'

export interface BenchServer extends AsyncDisposable {
  urlFor: (era: Era) => string
}

const gatewayMain = fileURLToPath(import.meta.resolve('@svc/mcp-gateway/main'))
const bareMain = fileURLToPath(new URL('mcp-bare.ts', import.meta.url))

/** The process that a deployment runs, with every limit that it has. */
export async function startGateway(
  { databaseUrl, secretKeys, poolSize }: BareOrder,
  token: string,
): Promise<BenchServer> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = spawn(process.execPath, [gatewayMain], {
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      SVC_BASE_URL: url,
      SVC_MCP_ENABLED: 'true',
      SVC_PORT: String(port),
      SVC_SECRET_KEYS: secretKeys,
      SVC_POOL_SIZE: String(poolSize),
      SVC_DRAIN_SECONDS: '0',
      SVC_LOG_LEVEL: 'warn',
      SVC_PARENT_WATCH: '1',
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  await untilItAnswers(child, `${url}/mcp`, token)
  return { urlFor: () => `${url}/mcp`, [Symbol.asyncDispose]: () => end(child) }
}

export async function startBare(order: BareOrder): Promise<BenchServer> {
  // digests and times arrive as what they are
  const child = fork(bareMain, { serialization: 'advanced' })
  child.send(order)
  const [port] = await once(child, 'message')
  const url = `http://127.0.0.1:${String(port)}`
  return {
    urlFor: (era) => `${url}/${era}`,
    async [Symbol.asyncDispose]() {
      const gone = once(child, 'exit')
      child.disconnect()
      await gone
    },
  }
}

async function untilItAnswers(child: ChildProcess, url: string, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' }
  for (let tries = 0; tries < 300; tries += 1) {
    if (child.exitCode !== null) throw new Error('the gateway ended before it answered')
    const answer = await fetch(url, { headers }).catch(() => undefined)
    if (answer?.ok) return
    await delay(100)
  }
  await end(child)
  throw new Error('the gateway did not answer within 30 s')
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill()
  await gone
}

async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // a server that listens on a port has an address with one
  const { port } = server.address() as AddressInfo
  await new Promise((closed) => server.close(closed))
  return port
}

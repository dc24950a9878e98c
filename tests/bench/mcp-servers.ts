import type { BareOrder } from './mcp-bare.ts'
import type { Era } from './mcp-load.ts'
import { type BenchProcess, forkBare, startApp } from './processes.ts'

export interface BenchServer extends AsyncDisposable {
  urlFor: (era: Era) => string
}

/** The process that a deployment runs: it counts calls as there, though its limits are never reached. */
export async function startGateway(order: BareOrder): Promise<BenchServer> {
  const gateway = await startApp('@svc/mcp-gateway/main', (url) => ({
    DATABASE_URL: order.databaseUrl,
    SVC_BASE_URL: url,
    SVC_MCP_ENABLED: 'true',
    SVC_SECRET_KEYS: order.secretKeys,
    SVC_POOL_SIZE: String(order.poolSize),
    SVC_DRAIN_SECONDS: '0',
  }))
  return serverAt(gateway, () => `${gateway.url}/mcp`)
}

export async function startBare(order: BareOrder): Promise<BenchServer> {
  const bare = await forkBare(new URL('mcp-bare.ts', import.meta.url), order)
  return serverAt(bare, (era) => `${bare.url}/${era}`)
}

function serverAt(server: BenchProcess, urlFor: BenchServer['urlFor']): BenchServer {
  return { urlFor, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

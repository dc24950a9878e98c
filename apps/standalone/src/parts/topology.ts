import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { checkout } from '../data-folder.ts'
import { Fault } from '../fault.ts'
import { type Variables, readCompose } from './compose-file.ts'

export const kinds = ['api', 'mcp-gateway', 'dispatcher'] as const
export type Kind = (typeof kinds)[number]

/** One replica of an app. */
export interface Part {
  /** That of its service in the file. */
  name: string
  kind: Kind
  environment: Record<string, string>
}

/** What docker-compose.yml says of the parts, whatever runs them. */
export interface Topology {
  /** The environment of `svc-admin`, which brings the schema before all else starts. */
  admin: Record<string, string>
  parts: readonly Part[]
  /** Where the edge answers. */
  host: string
  port: number
  baseUrl: string
  /** Which parts the edge sends calls to. */
  behindEdge: readonly string[]
}

const Service = z.object({
  build: z.object({ args: z.object({ APP: z.string() }) }).optional(),
  environment: z.record(z.string(), z.string()).default({}),
  ports: z.array(z.string()).default([]),
})
const File = z.object({ services: z.record(z.string(), Service) })

export function readTopology(variables: Variables): Topology {
  const text = readFileSync(join(checkout, 'docker-compose.yml'), 'utf8')
  const { services } = File.parse(readCompose(text, variables))
  const appOf = (name: string) => services[name]?.build?.args.APP
  const names = Object.keys(services)
  const parts = names.flatMap((name): Part[] => {
    const kind = kinds.find((one) => one === appOf(name))
    return kind ? [{ name, kind, environment: services[name]?.environment ?? {} }] : []
  })
  const admin = services[names.find((name) => appOf(name) === 'admin') ?? '']
  const { environment = {}, ports = [] } = services['edge'] ?? {}
  const [, host = '', given] = /^(.+):(\d+):\d+$/.exec(ports[0] ?? '') ?? []
  const port = Number(given)
  // the parts have those after it
  if (!(port > 0 && port < 65_000)) throw new Fault('EDGE_PORT: give a port from 1 to 64999.')
  const { API_ADDRESS = '', MCP_GATEWAY_ADDRESS = '', SVC_BASE_URL: baseUrl = '' } = environment
  const behindEdge = `${API_ADDRESS} ${MCP_GATEWAY_ADDRESS}`
    .split(/\s+/)
    .map((address) => address.replace(/:\d+$/, ''))
  return {
    admin: admin?.environment ?? {},
    parts,
    host,
    port,
    baseUrl,
    behindEdge,
  }
}

import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { checkout } from '../data-folder.ts'
import type { Reporter } from '../reporter.ts'
import { type KeptProcess, keepProcess } from './keep-process.ts'

const run = promisify(execFile)

/** One before answers 502 to a call that changes something, where the replica that it was for has just gone. */
const firstGood = [2, 11, 2]

/** The program, where one that is new enough is on the PATH. */
export async function findCaddy(): Promise<string | undefined> {
  const said = await run('caddy', ['version']).catch(() => undefined)
  const [, major, minor, patch] = /^v?(\d+)\.(\d+)\.(\d+)/.exec(said?.stdout ?? '') ?? []
  const version = [major, minor, patch].map(Number)
  const differs = firstGood.findIndex((number, index) => version[index] !== number)
  const isGood = differs < 0 || (version[differs] ?? 0) > (firstGood[differs] ?? 0)
  return said && isGood ? 'caddy' : undefined
}

export interface CaddyOptions {
  program: string
  host: string
  port: number
  api: readonly number[]
  gateway: readonly number[]
  baseUrl: string
  folder: string
  reporter: Reporter
}

const Adapted = z.looseObject({
  apps: z.looseObject({
    http: z.looseObject({
      servers: z.record(z.string(), z.looseObject({ listen: z.array(z.string()) })),
    }),
  }),
})

/** Caddy with infra/Caddyfile, for this machine alone. */
export async function keepCaddy(options: CaddyOptions): Promise<KeptProcess> {
  const { program, host, port, api, gateway, baseUrl, folder, reporter } = options
  const addresses = (ports: readonly number[]) => ports.map((one) => `127.0.0.1:${one}`).join(' ')
  const env = {
    ...process.env,
    SVC_BASE_URL: baseUrl,
    API_ADDRESS: addresses(api),
    MCP_GATEWAY_ADDRESS: addresses(gateway),
    XDG_CONFIG_HOME: folder,
    XDG_DATA_HOME: folder,
  }
  const file = join(checkout, 'infra/Caddyfile')
  const { stdout } = await run(program, ['adapt', '--adapter', 'caddyfile', '--config', file], {
    env,
  })
  const adapted = Adapted.parse(JSON.parse(stdout))
  // the file says by which names it is called, and not where it listens
  for (const server of Object.values(adapted.apps.http.servers)) server.listen = [`${host}:${port}`]
  const config = join(folder, 'caddy.json')
  writeFileSync(config, JSON.stringify({ ...adapted, admin: { disabled: true } }))
  return keepProcess({
    name: 'edge',
    program,
    args: ['run', '--config', config],
    env,
    logFile: join(folder, 'edge.log'),
    reporter,
  })
}

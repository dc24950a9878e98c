import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Reporter } from '../reporter.ts'
import { keepCaddy } from './caddy.ts'
import { openEdge } from './edge.ts'
import { freePorts } from './free-ports.ts'
import { type KeptProcess, keepProcess } from './keep-process.ts'
import { ask } from './replica.ts'
import { runAdmin } from './run-admin.ts'
import { type Kind, readTopology } from './topology.ts'

export interface PartsOptions {
  databaseUrl: string
  secretKeys: string
  /** The program of each kind of part; those of this checkout when left out. */
  programs?: Record<Kind, string>
  /** Where the parts write their logs. */
  folder: string
  /** What docker-compose.yml is read with, and what each part finds in its environment besides. */
  variables: NodeJS.ProcessEnv
  /** The program, where Caddy is the edge. */
  caddy?: string | undefined
  reporter: Reporter
  signal?: AbortSignal
}

export interface RunningPart extends KeptProcess {
  readonly kind: Kind
  readonly port: number
}

export interface Parts extends AsyncDisposable {
  readonly baseUrl: string
  readonly all: readonly RunningPart[]
  /** Runs a command of `svc-admin` and answers what it printed. */
  admin: (...words: string[]) => Promise<string>
}

const sources: Record<Kind, string> = {
  api: fileURLToPath(import.meta.resolve('@svc/api/main')),
  'mcp-gateway': fileURLToPath(import.meta.resolve('@svc/mcp-gateway/main')),
  dispatcher: fileURLToPath(import.meta.resolve('@svc/dispatcher/main')),
}

/** Long enough for the edge to notice that one says that it is not ready. */
const drainSeconds = '2'
const lookMs = 100

/**
 * The parts of docker-compose.yml as plain processes of this machine, on a database that is there, behind an edge. Resolves
 * when all are ready; rejects when the signal says so before.
 */
export async function openParts(options: PartsOptions): Promise<Parts> {
  const { databaseUrl, secretKeys, folder, variables, reporter, signal } = options
  const { programs = sources } = options
  const topology = readTopology({
    ...variables,
    SVC_SECRET_KEYS: secretKeys,
    // the address that the file makes of it is not the one that is used
    POSTGRES_PASSWORD: 'none',
    // the edge is on this machine
    SUBNET: '127.0.0.0/8',
  })
  const { baseUrl } = topology
  const shared = { DATABASE_URL: databaseUrl, SVC_DRAIN_SECONDS: drainSeconds, ...variables }
  const own = { DATABASE_URL: databaseUrl, SVC_PARENT_WATCH: '1' }
  const admin = (...words: string[]) => runAdmin(words, { ...shared, ...topology.admin, ...own })
  mkdirSync(folder, { recursive: true })
  await admin('migrate')
  signal?.throwIfAborted()

  const broken = new AbortController()
  const fatal = (error: unknown) => {
    broken.abort(error)
    reporter.fatal(error)
  }
  await using opened = new AsyncDisposableStack()
  const ports = await freePorts(topology.port + 1, topology.parts.length)
  const all = topology.parts.map(({ name, kind, environment }, index): RunningPart => {
    const port = ports[index] ?? 0
    const kept = opened.use(
      keepProcess({
        name,
        program: process.execPath,
        args: [programs[kind]],
        env: { ...shared, ...environment, ...own, SVC_HOST: '127.0.0.1', SVC_PORT: String(port) },
        logFile: join(folder, `${name}.log`),
        reporter: { ...reporter, fatal },
      }),
    )
    return Object.assign(kept, { kind, port })
  })
  const behind = (kind: Kind) =>
    all.filter((one) => one.kind === kind && topology.behindEdge.includes(one.name))
  const portsOf = (kind: Kind) => behind(kind).map(({ port }) => port)
  const { host, port } = topology
  const edge = { host, port, api: portsOf('api'), gateway: portsOf('mcp-gateway') }
  const { caddy } = options
  opened.use(
    caddy === undefined
      ? await openEdge(edge)
      : await keepCaddy({
          ...edge,
          program: caddy,
          baseUrl,
          folder,
          reporter: { ...reporter, fatal },
        }),
  )
  const either = signal ? AbortSignal.any([signal, broken.signal]) : broken.signal
  for (const one of all) {
    while (!(await ask(one.port))) await delay(lookMs, undefined, { signal: either })
  }
  const resources = opened.move()
  return { baseUrl, all, admin, [Symbol.asyncDispose]: () => stopAll(all, resources) }
}

/** The parts side by side, since each drains for a while; the edge sends their callers elsewhere to the end. */
async function stopAll(
  all: readonly RunningPart[],
  resources: AsyncDisposableStack,
): Promise<void> {
  await Promise.all(all.map((one) => one[Symbol.asyncDispose]()))
  await resources.disposeAsync()
}

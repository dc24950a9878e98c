import { execFile } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { RunnerAgent } from '@svc/contracts/runner'
import type { Home } from '../files/home.ts'
import type { Adapter } from './adapter.ts'
import { readAgentsFile } from './agents-file.ts'
import { builtInAdapters, listPrograms } from './rows.ts'

/** A program may ignore a milder signal. */
const withinTime = { timeout: 10_000, killSignal: 'SIGKILL' } as const

/** An agent that this machine can start. */
export interface FoundAgent {
  adapter: Adapter
  /** The program and what stands before the adapter's own arguments. */
  command: string[]
  version: string | null
}

/** `scriptedAgent` is the module of the scripted agent; without it that agent is not offered. */
export interface DiscoveryInput {
  home: Home
  env: NodeJS.ProcessEnv
  scriptedAgent?: string | undefined
  /** Only these; all that are found when left out. */
  only?: readonly string[] | undefined
}

export async function discoverAgents(input: DiscoveryInput): Promise<FoundAgent[]> {
  const rows = adapterRows(input.home).filter(({ key }) => input.only?.includes(key) ?? true)
  const found = await Promise.all(rows.map((adapter) => find(adapter, input)))
  return found.filter((agent) => agent !== undefined)
}

/** What to do where no agent was found, or one that was asked for is missing; undefined when all are there. */
export function missingAgents(
  found: readonly FoundAgent[],
  { home, only = [] }: Pick<DiscoveryInput, 'home' | 'only'>,
): string | undefined {
  const missing = only.filter((key) => !found.some(({ adapter }) => adapter.key === key))
  if (missing.length === 0 && found.length > 0) return undefined
  const what = missing.length > 0 ? `Not found on this machine: ${missing.join(', ')}` : noAgent
  return `${what}. Put ${listPrograms('disjunction')} on the PATH of the runner, or describe an agent in ${home.agentsFile} (see docs/agents.md), then start the runner again.`
}

const noAgent = 'No agent was found on this machine, so this runner takes no launches'

/** Built-in rows, replaced and completed by the runner's own. */
export function adapterRows(home: Home): Adapter[] {
  const own = readAgentsFile(home.agentsFile)
  const replaced = new Set(own.map(({ key }) => key))
  return [...builtInAdapters.filter(({ key }) => !replaced.has(key)), ...own]
}

export function reportAgents(agents: readonly FoundAgent[]): RunnerAgent[] {
  return agents.map(({ adapter, command, version }) => ({
    key: adapter.key,
    version,
    path: command.at(-1) ?? adapter.binary,
  }))
}

async function find(adapter: Adapter, input: DiscoveryInput): Promise<FoundAgent | undefined> {
  if (adapter.key === 'scripted' && input.scriptedAgent !== undefined) {
    return { adapter, command: [process.execPath, input.scriptedAgent], version: null }
  }
  const path = findProgram(adapter.binary, input.env)
  if (path === undefined) return undefined
  return {
    adapter,
    command: [path],
    version: await versionOf(path, adapter.versionArgs, input.env),
  }
}

/** Whether the agent itself says so; false where it does not say, or not in time. */
export async function isSignedOut(
  { signIn }: Adapter,
  path: string,
  env: NodeJS.ProcessEnv,
): Promise<boolean> {
  if (signIn === undefined || signIn.unless.some((name) => env[name])) return false
  const { promise, resolve } = Promise.withResolvers<string>()
  const options = { ...withinTime, maxBuffer: 64 * 1024, env }
  const child = execFile(path, signIn.args, options, (_error, stdout, stderr) =>
    resolve(`${stdout}\n${stderr}`),
  )
  child.stdin?.end()
  const output = await promise
  return signIn.nobody.some((words) => output.includes(words))
}

function findProgram(binary: string, env: NodeJS.ProcessEnv): string | undefined {
  if (binary.includes('/')) return isProgram(binary) ? binary : undefined
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  return folders.map((folder) => join(folder, binary)).find(isProgram)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** The first line that it prints; null when it prints none in time. The runner's token is no business of its. */
async function versionOf(
  path: string,
  args: readonly string[],
  { SVC_USER_TOKEN: _token, ...env }: NodeJS.ProcessEnv,
): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>()
  const child = execFile(path, args, { ...withinTime, env }, (error, stdout) => {
    const line = stdout.split('\n')[0]?.trim()
    resolve(error === null && line ? line.slice(0, 200) : null)
  })
  child.stdin?.end()
  return await promise
}

import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, readdirSync, readlinkSync } from 'node:fs'
import { readProcess } from '@svc/process/process-identity'
import { until } from './until.ts'

export interface End {
  code: number | null
  signal: NodeJS.Signals | null
}

/** A Node process of ours, with all that it wrote. */
export interface Started {
  readonly pid: number
  output: () => string
  /** What it wrote to standard output alone. */
  stdout: () => string
  isOver: () => boolean
  ended: Promise<End>
  kill: (signal?: NodeJS.Signals) => void
  /** Kills it at once and waits until it has gone. */
  killNow: () => Promise<End>
}

export interface StartOptions {
  env?: NodeJS.ProcessEnv
  cwd?: string
}

/** Nothing of the developer's shell but where programs lie; whoever starts it takes it along when it dies. */
export function plainEnvironment(): NodeJS.ProcessEnv {
  const { PATH, TMPDIR, NODE_COMPILE_CACHE } = process.env
  return {
    PATH,
    NODE_COMPILE_CACHE,
    ...(TMPDIR && { TMPDIR }),
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    SVC_PARENT_WATCH: '1',
  }
}

export function startNode(
  module: string,
  args: readonly string[],
  options: StartOptions = {},
): Started {
  return startProgram(process.execPath, [module, ...args], options)
}

/** Below `script`, which holds the other end of the terminal. */
export function startNodeInTerminal(
  module: string,
  args: readonly string[],
  options: StartOptions = {},
): Started {
  const command = [process.execPath, module, ...args].map((word) => `'${word}'`).join(' ')
  return startProgram('script', ['-qec', `exec ${command}`, '/dev/null'], options)
}

function startProgram(program: string, args: readonly string[], options: StartOptions): Started {
  const child = spawn(program, args, {
    cwd: options.cwd,
    env: { ...plainEnvironment(), ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const stdout = collect(child.stdout)
  const stderr = collect(child.stderr)
  const ended = endOf(child)
  const kill = (signal: NodeJS.Signals = 'SIGTERM') => void child.kill(signal)
  return {
    pid: child.pid ?? 0,
    output: () => stdout() + stderr(),
    stdout,
    isOver: () => child.exitCode !== null || child.signalCode !== null,
    ended,
    kill,
    killNow() {
      kill('SIGKILL')
      return ended
    },
  }
}

function collect(stream: NodeJS.ReadableStream): () => string {
  const chunks: Buffer[] = []
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  return () => Buffer.concat(chunks).toString('utf8')
}

function endOf(child: ChildProcess): Promise<End> {
  const { promise, resolve, reject } = Promise.withResolvers<End>()
  child.once('error', reject)
  child.once('exit', (code, signal) => resolve({ code, signal }))
  return promise
}

export function isRunning(pid: number): boolean {
  return readProcess(pid) !== undefined
}

/** Living processes whose environment holds this entry, wherever they went and whoever started them. */
export function processesWith(entry: string): number[] {
  return processesOfWhich((pid) => fileOf(pid, 'environ').split('\0').includes(entry))
}

/** Living processes that work in this folder. */
export function processesIn(folder: string): number[] {
  return processesOfWhich((pid) => workingDirectoryOf(pid) === folder)
}

export function commandOf(pid: number): string {
  return fileOf(pid, 'cmdline').replaceAll('\0', ' ')
}

export function killAll(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has gone in between.
    }
  }
}

export async function untilGone(pid: number): Promise<void> {
  await until(`process ${pid} has gone`, () => !isRunning(pid))
}

function processesOfWhich(is: (pid: number) => boolean): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && is(pid) && isRunning(pid))
}

function workingDirectoryOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return undefined
  }
}

function fileOf(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}

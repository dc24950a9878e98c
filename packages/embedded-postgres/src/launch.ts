import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { ClusterFolder } from './cluster-folder.ts'
import { owner } from './data-directory.ts'
import { explainStart } from './explain-start.ts'
import {
  childEnvironment,
  commandAs,
  type LaunchIdentity,
  spawnIdentity,
} from './launch-identity.ts'
import { readStartTime } from './process-identity.ts'
import { type RunningServer, stopServer } from './running-server.ts'

const largestLog = 10 * 1024 * 1024
const longestStartMs = 300_000

type Launch = { identity: LaunchIdentity; args: string[]; signal?: AbortSignal | undefined }

/** Starts the server in a session of its own, so that Ctrl-C reaches it only through us, and waits until it answers. */
export async function launchServer(
  cluster: ClusterFolder,
  runtime: string,
  { identity, args, signal }: Launch,
): Promise<RunningServer & { child: ChildProcess }> {
  if (existsSync(cluster.logFile) && statSync(cluster.logFile).size > largestLog) {
    renameSync(cluster.logFile, `${cluster.logFile}.1`)
  }
  const binary = join(runtime, 'bin', 'postgres')
  const [program = '', ...rest] = commandAs(identity, binary, args)
  const log = openSync(cluster.logFile, 'a', 0o600)
  const logStart = statSync(cluster.logFile).size
  const child = spawn(program, rest, {
    ...spawnIdentity(identity),
    cwd: cluster.folder,
    env: childEnvironment,
    stdio: ['ignore', log, log],
    detached: true,
  })
  closeSync(log)
  await once(child, 'spawn')
  child.unref()
  // A child that was spawned has a pid; one that ended at once has no start time, and is reported below.
  const pid = child.pid as number
  const startedAt = readStartTime(pid) ?? 'ended'
  const server = { pid, startedAt, command: [binary, ...args].join(' '), child }
  try {
    const isRunning = (): boolean => child.exitCode === null && child.signalCode === null
    const isAwaited = (): boolean => isRunning() && !signal?.aborted
    await waitUntilAnswering(cluster.socketFolder, isAwaited, longestStartMs)
    signal?.throwIfAborted()
  } catch (error) {
    await stopServer(server, cluster, signal)
    signal?.throwIfAborted()
    throw explainStart(cluster, logStart, error)
  }
  return server
}

/** Waits out a recovery after a crash; throws when the server has ended, does not answer in time or answers no. */
export async function waitUntilAnswering(
  socketFolder: string,
  isAwaited: () => boolean,
  timeoutMs: number,
): Promise<void> {
  const deadline = performance.now() + timeoutMs
  while (isAwaited()) {
    try {
      await query(socketFolder, 'postgres', 'select 1')
      return
    } catch (error) {
      if (!isNotYet(error) || performance.now() > deadline) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, 15))
  }
  throw new Error('the server ended')
}

/** No answer so far, or that it starts, stops or has no room: anything else that a server says stays so. */
function isNotYet(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || /^(57P0|53300)/.test(error.code ?? '')
}

export async function ensureDatabase(socketFolder: string): Promise<void> {
  const found = await query(
    socketFolder,
    'postgres',
    `select 1 from pg_database where datname = '${owner}'`,
  )
  if (found === 0) await query(socketFolder, 'postgres', `create database ${owner}`)
}

/** The number of rows. */
async function query(host: string, database: string, text: string): Promise<number> {
  const client = new pg.Client({ host, user: owner, database, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query(text)).rowCount ?? 0
  } finally {
    await client.end().catch(() => {})
  }
}

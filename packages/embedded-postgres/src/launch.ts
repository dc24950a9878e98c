import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { ClusterFolder } from './cluster-folder.ts'
import { dataBroken, owner } from './data-directory.ts'
import { diskFull, EmbeddedPostgresError } from './errors.ts'
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

/** What the server says when it stops because of its files, not because of its settings. */
const damage = new RegExp(
  [
    'PANIC',
    'database files are incompatible with server',
    'incorrect checksum in control file',
    'is not a database cluster directory',
    'invalid data in file',
    'could not (locate|open|read|find) .*(checkpoint|pg_control|"global|"base|"pg_)',
  ].join('|'),
)

/** Starts the server in a session of its own, so that Ctrl-C reaches it only through us, and waits until it answers. */
export async function launchServer(
  cluster: ClusterFolder,
  runtime: string,
  identity: LaunchIdentity,
  args: string[],
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
    await waitUntilAnswering(cluster.socketFolder, isRunning, longestStartMs)
  } catch (error) {
    await stopServer(server, cluster.data)
    throw explainStart(cluster, logStart, error)
  }
  return server
}

/** Waits out a recovery after a crash; throws when the server has ended or does not answer in time. */
export async function waitUntilAnswering(
  socketFolder: string,
  isRunning: () => boolean,
  timeoutMs: number,
): Promise<void> {
  const deadline = performance.now() + timeoutMs
  while (isRunning()) {
    try {
      await query(socketFolder, 'postgres', 'select 1')
      return
    } catch (error) {
      if (performance.now() > deadline) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, 15))
  }
  throw new Error('the server ended')
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

function explainStart(
  cluster: ClusterFolder,
  logStart: number,
  cause: unknown,
): EmbeddedPostgresError {
  const text = readFileSync(cluster.logFile).subarray(logStart).toString()
  const lastLines = text.trim().split('\n').slice(-8).join('\n')
  if (/No space left on device/.test(text)) return diskFull(cluster.folder)
  if (damage.test(text)) return dataBroken(cluster.data, `its log ends:\n${lastLines}\n`)
  const message = `PostgreSQL did not start; see ${cluster.logFile}, which ends:\n${lastLines}`
  return new EmbeddedPostgresError('start_failed', message, { cause })
}

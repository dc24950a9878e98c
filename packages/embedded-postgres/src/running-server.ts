import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs'
import { type ClusterFolder, lockFiles } from './cluster-folder.ts'
import {
  isAlive,
  type ProcessIdentity,
  readStartTime,
  readStat,
  waitUntilGone,
} from './process-identity.ts'

export type RunningServer = ProcessIdentity & { command: string }

/** The postmaster that runs on the cluster, if a lock file names one and that process is really it. */
export function findServer(cluster: ClusterFolder): RunningServer | undefined {
  for (const file of lockFiles(cluster)) {
    const holder = findHolder(file, cluster.data)
    if (holder !== undefined) return holder
  }
  return undefined
}

/** The living server that holds the lock file. A zombie lives no more, a reused pid is another's. */
function findHolder(file: string, data: string): RunningServer | undefined {
  const pid = readPid(file)
  if (pid === undefined) return undefined
  const startedAt = readStartTime(pid)
  const command = readCommand(pid)
  if (startedAt === undefined || command === undefined) return undefined
  const isOurs = command.includes('postgres -D ') && command.includes(` -D ${data} `)
  if (!isOurs && !pidsWithFolder(data).includes(pid)) return undefined
  return { pid, startedAt, command }
}

function readPid(lockFile: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(lockFile, 'utf8'), 10)
    return pid > 0 ? pid : undefined
  } catch {
    return undefined
  }
}

/** The command line with single spaces between the arguments. */
function readCommand(pid: number): string | undefined {
  if (process.platform !== 'linux') {
    const answer = spawnSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], {
      encoding: 'utf8',
    })
    return answer.status === 0 ? answer.stdout.trim() : undefined
  }
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replace(/\0$/, '').replaceAll('\0', ' ')
  } catch {
    return undefined
  }
}

/** Graceful termination: PostgreSQL's fast stop, which cuts the clients; then its immediate stop; then SIGKILL. */
const terminationSteps = [
  ['SIGINT', 30_000],
  ['SIGQUIT', 5_000],
  ['SIGKILL', 5_000],
] as const

/** Once `hurry` aborts, the stop begins with, or goes on to, the immediate one: the next start recovers. */
export async function stopServer(
  server: ProcessIdentity,
  cluster: ClusterFolder,
  hurry?: AbortSignal,
): Promise<void> {
  for (const [signal, waitMs] of terminationSteps) {
    if (!isAlive(server)) break
    const isPatient = signal === 'SIGINT'
    if (isPatient && hurry?.aborted) continue
    signalIfThere(server.pid, signal)
    if (await waitUntilGone(server, waitMs, isPatient ? hurry : undefined)) break
  }
  await endStragglers(cluster)
}

/**
 * After the postmaster was killed, backends in a long computation live on and hold the shared memory: no server can
 * start until they are gone. Without a postmaster nothing they do can be committed. Then the lock files are of nobody;
 * PostgreSQL itself would take a zombie, or whoever has the pid now, for their holder and not start.
 */
export async function endStragglers(cluster: ClusterFolder): Promise<void> {
  const stragglers = findStragglers(cluster.data)
  for (const { pid } of stragglers) signalIfThere(pid, 'SIGKILL')
  for (const straggler of stragglers) await waitUntilGone(straggler, 10_000)
  for (const file of lockFiles(cluster)) rmSync(file, { force: true })
}

function findStragglers(data: string): ProcessIdentity[] {
  return pidsWithFolder(data).flatMap((pid) => {
    const startedAt = readStartTime(pid)
    return startedAt === undefined ? [] : [{ pid, startedAt }]
  })
}

/** Prints the pids of all processes whose working directory is $1. */
const search = 'for p in /proc/[0-9]*; do [ "$p/cwd" -ef "$1" ] && echo "${p#/proc/}"; done'

/**
 * Processes named postgres whose working directory is the folder: every process of a server goes there. Asked as the
 * folder's owner, since root in a container may not look at another user's processes.
 */
function pidsWithFolder(data: string): number[] {
  if (!existsSync(data)) return []
  const folder = realpathSync(data)
  if (process.platform !== 'linux') return pidsFromLsof(folder)
  const { uid, gid } = statSync(folder)
  const owner = process.getuid?.() === 0 ? { uid, gid } : {}
  const answer = spawnSync('/bin/sh', ['-c', search, 'sh', folder], {
    ...owner,
    cwd: '/',
    encoding: 'utf8',
  })
  const pids = (answer.stdout ?? '').split('\n').filter(Boolean).map(Number)
  return pids.filter((pid) => readStat(pid)?.name === 'postgres')
}

function pidsFromLsof(folder: string): number[] {
  const args = ['-a', '-d', 'cwd', '-c', 'postgres', '-F', 'pn']
  const answer = spawnSync('lsof', args, { encoding: 'utf8' })
  const records = (answer.stdout ?? '')
    .split(/^p/m)
    .filter((record) => record.includes(`\nn${folder}\n`))
  return records.map((record) => Number.parseInt(record, 10))
}

function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended by itself in between.
  }
}

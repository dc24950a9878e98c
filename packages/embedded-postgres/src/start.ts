import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { type ClusterFolder, prepareClusterFolder } from './cluster-folder.ts'
import { checkDataDirectory, owner, prepareDataDirectory } from './data-directory.ts'
import { explainFileError } from './errors.ts'
import { chooseLocation, type DataLocation } from './launch-identity.ts'
import { ensureDatabase, launchServer, waitUntilAnswering } from './launch.ts'
import { acquireLock } from './lock.ts'
import { isAlive } from './process-identity.ts'
import { endStragglers, findServer, type RunningServer, stopServer } from './running-server.ts'
import { type Binaries, findBinaries, prepareRuntime, serverProgram } from './runtime-folder.ts'
import { serverArguments, serverSettings, type Settings } from './settings.ts'

export type StartOptions = {
  /** Made if it is missing. As root, when `nobody` cannot go there, the database lies below /var/lib/svc instead. */
  folder: string
  settings?: Settings
  /** false gives up safety against power loss; for databases that a test throws away. Default true. */
  durable?: boolean
  /** Called with a sentence when something takes time or is unusual. */
  log?: (message: string) => void
  /** Ends a start that is under way, at once: nothing of it stays. Rejects with its reason. */
  signal?: AbortSignal | undefined
}

export type Connection = { host: string; user: string; database: string }

export interface EmbeddedPostgres extends AsyncDisposable {
  /** For pg: the host is the socket's folder. Only this user (and root) can connect. */
  readonly connection: Connection
  /** The same as `postgresql://user@/database?host=<folder>`. */
  readonly connectionString: string
  readonly pid: number
  /** true when the server was running already, left behind by a process that was killed. */
  readonly adopted: boolean
  /** The folder that the data really lies in: `folder`, or one below /var/lib/svc. */
  readonly location: string
  /** Resolves when the server has ended for whatever reason. Then call `stop` and start anew. */
  readonly closed: Promise<void>
  /** Cuts the clients, ends the server, gives up the lock. May be called again. */
  stop(): Promise<void>
  /** The same without waiting for anything; the next start recovers. Hastens a stop that is under way. */
  stopNow(): Promise<void>
}

/** @throws EmbeddedPostgresError */
export async function startPostgres(options: StartOptions): Promise<EmbeddedPostgres> {
  try {
    const binaries = await findBinaries()
    const location = chooseLocation(options.folder)
    const lock = await acquireLock(location.base)
    try {
      return await startLocked(options, binaries, location, lock)
    } catch (error) {
      lock[Symbol.dispose]()
      throw error
    }
  } catch (error) {
    throw explainFileError(error, options.folder)
  }
}

async function startLocked(
  options: StartOptions,
  binaries: Binaries,
  { base, identity }: DataLocation,
  lock: Disposable,
): Promise<EmbeddedPostgres> {
  const { log = () => {}, durable = true, signal } = options
  const cluster = prepareClusterFolder(base, identity)
  await checkDataDirectory(cluster.data, binaries.majorVersion)
  const settings = serverSettings(options.settings ?? {}, durable, cluster.socketFolder)
  const args = serverArguments(cluster.data, settings)
  const command = [serverProgram(binaries, base), ...args].join(' ')
  const adopted = await adoptOrStop(cluster, command, { log, signal })
  if (adopted !== undefined) return handle(adopted, { cluster, base, lock, adopted: true })
  await endStragglers(cluster)
  if (!existsSync(cluster.data)) log('Making a new database')
  signal?.throwIfAborted()
  const runtime = await prepareRuntime(binaries, base)
  signal?.throwIfAborted()
  await prepareDataDirectory(cluster, runtime, { identity, durable, signal })
  const server = await launchServer(cluster, runtime, { identity, args, signal })
  return handle(server, { cluster, base, lock, adopted: false })
}

/** A server that a killed process left running is taken over when it is the one we would start, else it is ended. */
async function adoptOrStop(
  cluster: ClusterFolder,
  command: string,
  { log, signal }: Required<Pick<StartOptions, 'log' | 'signal'>>,
): Promise<RunningServer | undefined> {
  const server = findServer(cluster)
  if (server === undefined) return undefined
  if (server.command === command) {
    try {
      const isAwaited = (): boolean => isAlive(server) && !signal?.aborted
      await waitUntilAnswering(cluster.socketFolder, isAwaited, 20_000)
      log(`Took over the PostgreSQL that was left running (process ${server.pid})`)
      return server
    } catch {
      log(`The PostgreSQL that was left running (process ${server.pid}) does not answer`)
    }
  }
  log(`Ending the PostgreSQL that was left running (process ${server.pid})`)
  await stopServer(server, cluster, signal)
  signal?.throwIfAborted()
  return undefined
}

type Held = { cluster: ClusterFolder; base: string; lock: Disposable; adopted: boolean }

async function handle(
  server: RunningServer & { child?: ChildProcess },
  { cluster, base, lock, adopted }: Held,
): Promise<EmbeddedPostgres> {
  const closed = Promise.withResolvers<void>()
  if (server.child === undefined) pollUntilGone(server, closed.resolve)
  else onExit(server.child, closed.resolve)
  const hurry = new AbortController()
  let stopping: Promise<void> | undefined
  const stop = (): Promise<void> => {
    stopping ??= stopServer(server, cluster, hurry.signal).finally(() => {
      lock[Symbol.dispose]()
      closed.resolve()
    })
    return stopping
  }
  const host = cluster.socketFolder
  try {
    await ensureDatabase(host)
  } catch (error) {
    await stop()
    throw error
  }
  return {
    connection: { host, user: owner, database: owner },
    connectionString: `postgresql://${owner}@/${owner}?host=${encodeURIComponent(host)}`,
    pid: server.pid,
    adopted,
    location: base,
    closed: closed.promise,
    stop,
    stopNow() {
      hurry.abort()
      return stop()
    },
    [Symbol.asyncDispose]: stop,
  }
}

function onExit(child: ChildProcess, ended: () => void): void {
  if (child.exitCode !== null || child.signalCode !== null) ended()
  else child.once('exit', ended)
}

/** For a server that is no child of ours. Like an unreferenced child, it does not keep the process from ending. */
function pollUntilGone(server: RunningServer, ended: () => void): void {
  const timer = setInterval(() => {
    if (isAlive(server)) return
    clearInterval(timer)
    ended()
  }, 250)
  timer.unref()
}

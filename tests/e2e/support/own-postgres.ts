import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chownSync, globSync, mkdirSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import {
  childEnvironment,
  chooseLocation,
  commandAs,
  spawnIdentity,
} from '@svc/embedded-postgres/launch-identity'
import { freePort } from '@svc/testing/free-port'
import { temporaryFolder } from '@svc/testing/temporary'
import pg from 'pg'
import { killAll, processesIn } from './processes.ts'
import { until } from './until.ts'

/** Where a distribution has put what an operator works with; the PostgreSQL from npm has no base backups. */
const programs = globSync('/usr/lib/postgresql/*/bin/pg_basebackup')
  .map(dirname)
  .toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }))
  .at(-1)

export const hasOwnPostgres = programs !== undefined

type Settings = Readonly<Record<string, string>>

/** A server of Debian's programs. */
export interface OwnPostgres {
  readonly port: number
  readonly url: string
  /** The rows that a statement answers. */
  ask: (statement: string) => Promise<Record<string, unknown>[]>
  /** As a machine that loses its power: every process at once. */
  kill: () => Promise<void>
  /** Ends its clients, writes what it has to write, and ends. */
  stop: () => Promise<void>
}

/** Servers of one password, and the programs that act on them; root has them run by somebody else. */
export interface PostgresPlace extends AsyncDisposable {
  /** A new folder that a server may write to. */
  folder: (name: string) => string
  /** Where that lies, or the cluster of that name. */
  pathOf: (name: string) => string
  url: (port: number) => string
  /** A new database cluster, and its server. */
  create: (name: string, settings: Settings) => Promise<OwnPostgres>
  /** Resolves once it answers, also while it recovers. */
  start: (data: string, settings: Settings) => Promise<OwnPostgres>
  /** One of PostgreSQL's own programs, or another one by its path, to its end. */
  run: (program: string, ...args: string[]) => Promise<string>
  /** The same of one that goes on until the place is left. */
  runOn: (program: string, ...args: string[]) => ChildProcess
}

export async function openPostgresPlace(): Promise<PostgresPlace> {
  const temporary = temporaryFolder()
  const { base, identity } = chooseLocation(temporary.path)
  const owner = spawnIdentity(identity)
  const password = randomBytes(16).toString('hex')
  const running = new Set<ChildProcess>()
  // Ctrl-C ends the tests without a clean-up
  const abandon = () => killAll([...running].map(({ pid = 0 }) => pid))
  process.once('exit', abandon)
  const wordsOf = (program: string, args: string[]) =>
    commandAs(identity, program.includes('/') ? program : join(programs ?? '', program), args)
  const options = { ...owner, cwd: '/', env: { ...childEnvironment, PGPASSWORD: password } }

  const give = (path: string) => {
    if (owner.uid !== undefined && owner.gid !== undefined) chownSync(path, owner.uid, owner.gid)
  }
  const place: PostgresPlace = {
    url: (port) => `postgres://svc:${password}@127.0.0.1:${port}/svc`,
    pathOf: (name) => join(base, name),
    folder(name) {
      const path = place.pathOf(name)
      mkdirSync(path, { mode: 0o700 })
      give(path)
      return path
    },
    async run(program, ...args) {
      const [command = '', ...words] = wordsOf(program, args)
      return (await promisify(execFile)(command, words, options)).stdout
    },
    runOn(program, ...args) {
      const [command = '', ...words] = wordsOf(program, args)
      const child = spawn(command, words, { ...options, stdio: 'ignore' })
      running.add(child)
      child.once('exit', () => running.delete(child))
      return child
    },
    async create(name, settings) {
      const data = place.folder(name)
      const secret = join(base, `${name}-password`)
      writeFileSync(secret, password, { mode: 0o600 })
      give(secret)
      const said = ['--username=svc', `--pwfile=${secret}`, '--auth=scram-sha-256']
      await place.run('initdb', `--pgdata=${data}`, ...said, '--locale=C', '--encoding=UTF8')
      const server = await place.start(data, settings)
      await onServer(server.url, 'postgres', 'create database svc')
      return server
    },
    async start(data, settings) {
      const port = await freePort()
      const all = { port: String(port), listen_addresses: '127.0.0.1', ...common, ...settings }
      const set = Object.entries(all).flatMap(([key, value]) => ['-c', `${key}=${value}`])
      const child = place.runOn('postgres', '-D', data, ...set)
      const url = place.url(port)
      const end = async (kill: () => void) => {
        const isOver = child.exitCode !== null || child.signalCode !== null
        const ended = isOver ? undefined : once(child, 'exit')
        kill()
        await ended
        await until('every process of the server has gone', () => processesIn(data).length === 0)
      }
      await until('the server answers', () => {
        if (child.exitCode !== null) throw new Error(`PostgreSQL ended in ${data}`)
        return onServer(url, 'postgres', 'select 1').catch(() => false as const)
      })
      return {
        port,
        url,
        ask: (statement) => onServer(url, 'svc', statement),
        kill: () => end(() => killAll(processesIn(data))),
        stop: () => end(() => child.kill('SIGINT')),
      }
    },
    async [Symbol.asyncDispose]() {
      const ended = [...running].map((child) => once(child, 'exit'))
      for (const child of running) child.kill('SIGQUIT')
      await Promise.all(ended)
      process.off('exit', abandon)
      await rm(base, { recursive: true, force: true, maxRetries: 5 })
      temporary[Symbol.dispose]()
    },
  }
  return place
}

/** Sockets on loopback alone, and memory for a test. */
const common = { unix_socket_directories: '', shared_buffers: '32MB', jit: 'off' }

async function onServer(url: string, database: string, statement: string) {
  const address = new URL(url)
  address.pathname = `/${database}`
  const client = new pg.Client({ connectionString: address.href })
  // a server that is stopped between two of its answers fails no query, and would end the process
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows
  } finally {
    await client.end()
  }
}

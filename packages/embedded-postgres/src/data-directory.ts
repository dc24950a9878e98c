import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ClusterFolder } from './cluster-folder.ts'
import { diskFull, EmbeddedPostgresError } from './errors.ts'
import {
  childEnvironment,
  commandAs,
  type LaunchIdentity,
  spawnIdentity,
} from './launch-identity.ts'

/** The cluster's superuser, and the name of the database that the app uses. */
export const owner = 'svc'

/**
 * Makes the data directory if there is none: built beside its place, then renamed, so one that exists is whole. The name
 * is new each time, for the initdb of a start that was killed may still be at work.
 */
export async function prepareDataDirectory(
  cluster: ClusterFolder,
  runtime: string,
  identity: LaunchIdentity,
  durable: boolean,
): Promise<void> {
  const { folder, data } = cluster
  if (existsSync(data)) return
  await removeUnfinished(folder)
  const unfinished = join(folder, `data.init-${randomUUID()}`)
  const encoding = [
    '-E',
    'UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ]
  const args = ['-D', unfinished, '-U', owner, '--auth=trust', ...encoding]
  const [program = '', ...rest] = commandAs(identity, join(runtime, 'bin', 'initdb'), [
    ...args,
    ...(durable ? [] : ['--no-sync']),
  ])
  const { code, output } = await run(program, rest, identity, folder)
  if (/No space left on device/.test(output)) throw diskFull(folder)
  if (code !== 0) {
    const message = `initdb could not make a database in ${folder}: ${output.trim().split('\n').slice(-6).join('\n')}`
    throw new EmbeddedPostgresError('start_failed', message)
  }
  await rename(unfinished, data)
}

async function removeUnfinished(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith('data.init')) continue
    await rm(join(folder, name), { recursive: true, force: true, maxRetries: 3 }).catch(() => {})
  }
}

/** Throws when the data directory is not one that this PostgreSQL can run. */
export async function checkDataDirectory(data: string, majorVersion: string): Promise<void> {
  if (!existsSync(data)) return
  const version = await readFile(join(data, 'PG_VERSION'), 'utf8').catch(() => undefined)
  if (version === undefined || !existsSync(join(data, 'global', 'pg_control'))) {
    throw dataBroken(data, 'PG_VERSION or global/pg_control is missing')
  }
  if (version.trim() === majorVersion) return
  const message = `${data} was written by PostgreSQL ${version.trim()}, but PostgreSQL ${majorVersion} is installed: carry the data over by a dump, or move the folder away to start with an empty database.`
  throw new EmbeddedPostgresError('other_version', message)
}

export function dataBroken(data: string, why: string): EmbeddedPostgresError {
  const message = `The data directory ${data} is damaged (${why}): restore it from a backup, or move it away to start with an empty database.`
  return new EmbeddedPostgresError('data_broken', message)
}

async function run(
  program: string,
  args: string[],
  identity: LaunchIdentity,
  cwd: string,
): Promise<{ code: number | null; output: string }> {
  const child = spawn(program, args, {
    ...spawnIdentity(identity),
    cwd,
    env: childEnvironment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (part: Buffer) => (output += part.toString()))
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, output }))
  })
}

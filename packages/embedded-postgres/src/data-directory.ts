import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ClusterFolder } from './cluster-folder.ts'
import { dataBroken, diskFull, EmbeddedPostgresError } from './errors.ts'
import {
  childEnvironment,
  commandAs,
  type LaunchIdentity,
  spawnIdentity,
} from './launch-identity.ts'

/** The cluster's superuser, and the name of the database that the app uses. */
export const owner = 'svc'

type Making = { identity: LaunchIdentity; durable: boolean; signal?: AbortSignal | undefined }

/**
 * Makes the data directory if there is none: built next to its final path, then renamed, so one that exists is whole. The name
 * is new each time, for the initdb of a start that was killed may still be at work.
 */
export async function prepareDataDirectory(
  { folder, data }: ClusterFolder,
  runtime: string,
  { identity, durable, signal }: Making,
): Promise<void> {
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
  const command = commandAs(identity, join(runtime, 'bin', 'initdb'), [
    ...args,
    ...(durable ? [] : ['--no-sync']),
  ])
  const { code, output } = await run(command, folder, identity, signal)
  signal?.throwIfAborted()
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

/** In a process group of its own, which the signal kills: initdb lets servers work for it. */
async function run(
  [program = '', ...args]: string[],
  cwd: string,
  identity: LaunchIdentity,
  signal?: AbortSignal,
): Promise<{ code: number | null; output: string }> {
  const child = spawn(program, args, {
    ...spawnIdentity(identity),
    cwd,
    env: childEnvironment,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (part: Buffer) => (output += part.toString()))
  }
  const kill = (): void => void (child.pid !== undefined && process.kill(-child.pid, 'SIGKILL'))
  signal?.addEventListener('abort', kill)
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', reject)
      // It comes when nobody holds the output any more: initdb and its servers have gone.
      child.once('close', (code) => resolve({ code, output }))
    })
  } finally {
    signal?.removeEventListener('abort', kill)
  }
}

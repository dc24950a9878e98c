import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { chmod, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '@svc/db/database'
import { migrateSchema } from '@svc/db/migrate-schema'
import { migrateJobs } from '../jobs/jobs.ts'
import { startPostgres } from '@svc/embedded-postgres/start'
import { installTestClock } from '@svc/testing/clock'
import { databaseUrl, onServer } from '@svc/testing/server'
import type { TestServer } from '@svc/testing/server'

/** The server of all projects of this run, and how many of them use it. */
const ofAllProjects: { opening?: Promise<RunningServer>; users: number } = { users: 0 }

interface RunningServer {
  server: TestServer
  close: () => Promise<void>
}

/**
 * One server for the tests of all projects, with a migrated template that every test file clones.
 * SVC_TEST_DATABASE_URL names a server to use in place of an embedded one.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  ofAllProjects.users += 1
  ofAllProjects.opening ??= open()
  const { server, close } = await ofAllProjects.opening
  project.provide('postgres', server)
  return async () => {
    ofAllProjects.users -= 1
    if (ofAllProjects.users > 0) return
    delete ofAllProjects.opening
    await close()
  }
}

async function open(): Promise<RunningServer> {
  await using opened = new AsyncDisposableStack()
  const given = process.env['SVC_TEST_DATABASE_URL']
  const url = given ?? (await startServer(opened))
  const server: TestServer = {
    url,
    template: `svc_template_${randomUUID()}`,
    shared: given !== undefined,
  }
  await createTemplate(server, opened)
  const kept = opened.move()
  return { server, close: () => kept.disposeAsync() }
}

async function startServer(opened: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-test-'))
  atEnd(opened, () => remove(folder))
  // Run as root, the server is another user's, who must get through to its part of the folder.
  await chmod(folder, 0o711)
  const server = await startPostgres({ folder, durable: false })
  atEnd(opened, () => remove(server.location))
  const abandon = () => void process.kill(server.pid, 'SIGQUIT')
  atEnd(opened, abandon, () => server.stop())
  return server.connectionString
}

/** What is left when Ctrl-C ends vitest without a teardown. */
const left = new Set<() => void>()

/** Closes with the teardown; where there is none, `abandon` runs at the exit of the process. */
function atEnd(
  opened: AsyncDisposableStack,
  abandon: () => void,
  close: () => void | Promise<void> = abandon,
): void {
  if (left.size === 0) process.prependOnceListener('exit', abandonAll)
  left.add(abandon)
  opened.defer(() => {
    left.delete(abandon)
    if (left.size === 0) process.off('exit', abandonAll)
    return close()
  })
}

/** The latest first: a server before its folder. */
function abandonAll(): void {
  for (const abandon of [...left].toReversed()) abandon()
}

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

async function createTemplate(server: TestServer, opened: AsyncDisposableStack): Promise<void> {
  const { template } = server
  await onServer(server, `create database "${template}"`)
  if (server.shared) {
    opened.defer(() => onServer(server, `drop database "${template}" with (force)`))
  }
  await fillTemplate(databaseUrl(server.url, template))
  // A connection to the template would make every clone fail.
  await onServer(server, `alter database "${template}" with allow_connections false`)
}

async function fillTemplate(url: string): Promise<void> {
  await migrateSchema(url)
  await migrateJobs(url)
  await using database = openDatabase({ url, poolSize: 1, onError: () => undefined })
  await installTestClock(database)
}

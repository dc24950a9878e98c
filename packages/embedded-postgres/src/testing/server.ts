import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { prepareClusterFolder } from '../cluster-folder.ts'
import { chooseLocation } from '../launch-identity.ts'
import { findServer, type RunningServer } from '../running-server.ts'
import { type EmbeddedPostgres, startPostgres } from '../start.ts'

type TestStart = { settings?: Record<string, string>; at?: string; signal?: AbortSignal }

/**
 * One database for all tests of a file that leave it usable, as making one takes seconds on a busy machine. What a test
 * starts is stopped after it.
 */
export function useDatabaseFolder() {
  let parent = ''
  let opened: EmbeddedPostgres[] = []
  beforeAll(() => {
    parent = mkdtempSync(join(tmpdir(), 'embedded-postgres-'))
    chmodSync(parent, 0o755)
  })
  beforeEach(() => {
    opened = []
  })
  afterEach(async () => {
    for (const server of opened) await server.stop()
  })
  afterAll(() => {
    rmSync(parent, { recursive: true, force: true })
  })
  return {
    /** A path next to the database's own folder. */
    path: (...names: string[]): string => join(parent, ...names),
    start: async ({
      at = join(parent, 'database'),
      ...rest
    }: TestStart = {}): Promise<EmbeddedPostgres> => {
      const server = await startPostgres({ folder: at, ...rest })
      opened.push(server)
      return server
    },
  }
}

/** The server that runs in a database folder. */
export function serverIn(folder: string): RunningServer | undefined {
  const { base, identity } = chooseLocation(folder)
  return findServer(prepareClusterFolder(base, identity))
}

export async function connect(server: EmbeddedPostgres): Promise<pg.Client> {
  const client = new pg.Client(server.connection)
  client.on('error', () => {})
  await client.connect()
  return client
}

/** The rows, each as an array. */
export async function query(server: EmbeddedPostgres, text: string): Promise<unknown[]> {
  const client = await connect(server)
  try {
    return (await client.query({ text, rowMode: 'array' })).rows
  } finally {
    await client.end()
  }
}

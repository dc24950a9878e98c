import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '@svc/db/database'
import { migrateSchema } from '@svc/db/migrate-schema'
import { migrateJobs } from '@svc/domain/commit/jobs'
import { startPostgres } from '@svc/embedded-postgres/start'
import { installTestClock } from '@svc/testing/clock'

export interface ThrowawayDatabase extends AsyncDisposable {
  url: string
  serverPid(): number
  /** The server dies without closing anything, and is there again when this resolves. */
  killAndRestart(): Promise<void>
}

/** A server of its own with a migrated database and the movable clock. */
export async function openThrowawayDatabase({ durable = false } = {}): Promise<ThrowawayDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-hunt-'))
  // Run as root, the server is another user's, who must get through to its part of the folder.
  await chmod(folder, 0o711)
  let server = await startPostgres({ folder, durable })
  const url = server.connectionString
  await migrateSchema(url)
  await migrateJobs(url)
  const db = openDatabase({ url, poolSize: 1, onError: () => undefined })
  await installTestClock(db)
  await db.destroy()
  return {
    url,
    serverPid: () => server.pid,
    async killAndRestart() {
      process.kill(server.pid, 'SIGQUIT')
      await server.closed
      await server.stop()
      server = await startPostgres({ folder, durable })
    },
    async [Symbol.asyncDispose]() {
      const { place } = server
      await server.stop()
      await rm(place, { recursive: true, force: true })
      await rm(folder, { recursive: true, force: true })
    },
  }
}

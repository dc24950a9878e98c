import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '@svc/db/database'
import { migrateSchema } from '@svc/db/migrate-schema'
import { migrateJobs } from '@svc/domain/jobs/jobs'
import { type StartOptions, startPostgres } from '@svc/embedded-postgres/start'
import { installTestClock } from '@svc/testing/clock'

export interface ThrowawayDatabase extends AsyncDisposable {
  url: string
  /** The process id of the server that runs now. */
  serverPid(): number
  /** The server dies without closing anything, and is there again when this resolves. */
  killAndRestart(): Promise<void>
}

export interface ThrowawayOptions extends Pick<StartOptions, 'durable' | 'settings'> {
  /** The movable clock costs a read of a table wherever the time is asked for. Default movable. */
  clock?: 'movable' | 'real'
}

/** A server of its own with a migrated database; it waits for no disk unless it is to be durable. */
export async function openThrowawayDatabase({
  clock = 'movable',
  durable = false,
  settings = {},
}: ThrowawayOptions = {}): Promise<ThrowawayDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-soak-'))
  // Run as root, the server is another user's, who must get through to its part of the folder.
  await chmod(folder, 0o711)
  const start = () => startPostgres({ folder, durable, settings })
  let server = await start()
  const url = server.connectionString
  await migrateSchema(url)
  await migrateJobs(url)
  if (clock === 'movable') await moveClockOf(url)
  return {
    url,
    serverPid: () => server.pid,
    async killAndRestart() {
      process.kill(server.pid, 'SIGQUIT')
      await server.closed
      await server.stop()
      server = await start()
    },
    async [Symbol.asyncDispose]() {
      const { location } = server
      await server.stop()
      await rm(location, { recursive: true, force: true })
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function moveClockOf(url: string): Promise<void> {
  await using db = openDatabase({ url, poolSize: 1, onError: () => undefined })
  await installTestClock(db)
}

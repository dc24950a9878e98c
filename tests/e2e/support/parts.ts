import { openParts, type Parts } from '@svc/standalone/parts/open-parts'
import { freePort } from '@svc/testing/free-port'
import { temporaryFolder } from '@svc/testing/temporary'
import { plainEnvironment } from './processes.ts'
import { programs } from './programs.ts'

/** The parts of docker-compose.yml on a database that is there, behind an edge; `more` goes into the environment of each. */
export async function openPartsOn(
  databaseUrl: string,
  secretKeys: string,
  more: NodeJS.ProcessEnv,
): Promise<Parts> {
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(temporaryFolder())
  const port = String(await freePort())
  // several stand on one server of the tests
  const pool = { SVC_POOL_SIZE: '4' }
  const address = { EDGE_PORT: port, SVC_BASE_URL: `http://127.0.0.1:${port}` }
  const parts = opened.use(
    await openParts({
      databaseUrl,
      secretKeys,
      programs,
      folder: folder.path,
      variables: { ...plainEnvironment(), ...pool, ...more, ...address },
      reporter: { detail: () => {}, notice: () => {}, fatal: fail },
    }),
  )
  const resources = opened.move()
  return { ...parts, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}

function fail(error: unknown): void {
  queueMicrotask(() => {
    throw error
  })
}

import { migrate } from '@svc/admin/migrate'
import { createLog } from '@svc/process/log'
import { enrol } from '@svc/domain/testing/enrol'
import { openProcess, secretKeys } from '@svc/domain/testing/open-process'
import { freePort } from '@svc/testing/free-port'
import { signedIn } from '@svc/domain/testing/signed-in'
import { serveBoth } from '../serve-all.ts'
import { openThrowawayDatabase } from '../soak/database.ts'

export interface Service extends AsyncDisposable {
  url: string
  owner: Owner
}

/** Somebody who may do everything there. */
interface Owner {
  token: string
  workspaceId: string
  /** What their browser, which is signed in, sends with each request. */
  browser: Record<string, string>
}

/** A service of its own on a database of its own, or on the empty one that is named. */
export async function openService(): Promise<Service> {
  await using opened = new AsyncDisposableStack()
  const databaseUrl =
    process.env['SVC_TEST_DATABASE_URL'] ??
    opened.use(await openThrowawayDatabase({ clock: 'real' })).url
  await migrate({ databaseUrl, secretKeys })
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const owner = await firstOwner(databaseUrl, url)
  const variables = { SVC_BASE_URL: url, SVC_MCP_ENABLED: 'true', SVC_PORT: String(port) }
  const log = createLog({ name: 'service', level: 'error' })
  opened.use(await serveBoth(databaseUrl, variables, log))
  const resources = opened.move()
  return { url, owner, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}

async function firstOwner(databaseUrl: string, url: string): Promise<Owner> {
  await using domain = await openProcess(databaseUrl, { notify: false })
  const owner = { workspace: 'suite', name: 'suite', role: 'owner' } as const
  const { userId, workspaceId, token } = await enrol(domain, owner)
  return { token, workspaceId, browser: await signedIn(domain, { userId, baseUrl: url }) }
}

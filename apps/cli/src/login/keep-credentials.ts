import { mkdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { defaultHome } from '@svc/runner/files/home'
import { writeDurably } from '@svc/runner/files/durable-file'
import { type Credentials, readCredentials, sameOrigin } from '../credentials.ts'

type Kept = Pick<Credentials, 'baseUrl' | 'token' | 'workspace' | 'runnerHome'>

/** Keeps the credential as the one that counts where none is named; those of other services and workspaces stay. */
export function rememberCredentials(path: string, given: Omit<Kept, 'runnerHome'>): void {
  const known = readCredentials(path)
  const isSame = (one: Kept) =>
    sameOrigin(one.baseUrl, given.baseUrl) && (one.workspace ?? given.workspace) === given.workspace
  const same = known.filter(isSame)
  const before = same.find(({ workspace }) => workspace !== undefined) ?? same[0]
  const others = known.filter((one) => !isSame(one))
  // signed in again, it keeps the folder that it has
  const home = before?.workspace === undefined ? homeBeside(others, given) : {}
  write(path, [{ ...home, ...before, ...given }, ...others])
}

/** Earlier versions kept no workspace: asked for it, each login of the service gets its own, so that a further one stays beside it. */
export async function nameCredentials(
  path: string,
  baseUrl: string,
  ask: (token: string) => Promise<string>,
): Promise<void> {
  const known = readCredentials(path)
  const isNameless = (one: Kept) => one.workspace === undefined && sameOrigin(one.baseUrl, baseUrl)
  if (!known.some(isNameless)) return
  const named = known.map(async (one) => {
    if (!isNameless(one)) return one
    // a token that is good no more is nobody's
    const workspace = await ask(one.token).catch(() => undefined)
    return workspace === undefined ? one : { ...one, workspace }
  })
  write(path, await Promise.all(named))
}

/** A runner works for one workspace of one service, and two on a machine each have a folder. */
function homeBeside(
  others: readonly Kept[],
  { baseUrl, workspace }: Kept,
): Pick<Kept, 'runnerHome'> {
  const isTaken = (home?: string) => others.some(({ runnerHome }) => runnerHome === home)
  if (!isTaken() || !/^[a-z0-9-]+$/.test(workspace ?? '')) return {}
  const beside = `${defaultHome({})}-${workspace}`
  const service = new URL(baseUrl).host.replaceAll(/[^a-z0-9.]/g, '-')
  return { runnerHome: isTaken(beside) ? `${beside}-${service}` : beside }
}

export function removeCredentials(path: string, { token }: Pick<Kept, 'token'>): void {
  write(
    path,
    readCredentials(path).filter((one) => one.token !== token),
  )
}

function write(path: string, entries: readonly Kept[]): void {
  const [first, ...others] = entries.map(({ baseUrl, token, workspace, runnerHome }) => ({
    baseUrl,
    token,
    ...(workspace !== undefined && { workspace }),
    ...(runnerHome !== undefined && { runnerHome }),
  }))
  if (first === undefined) return rmSync(path, { force: true })
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const all = { ...first, ...(others.length > 0 && { others }) }
  writeDurably(path, `${JSON.stringify(all, null, 2)}\n`, 0o600)
}

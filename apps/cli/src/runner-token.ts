import { hostname } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@svc/client/client'
import { isServiceError } from '@svc/contracts/errors'
import { rolePermissions } from '@svc/contracts/permissions'
import type { RouteOutput } from '@svc/contracts/rest'
import { readIfThere, writeDurably } from '@svc/runner/files/durable-file'
import type { Home } from '@svc/runner/files/home'
import { type Claimant, type Person, isSamePerson } from '@svc/runner/run/claimant'
import { isDone, readJournal } from '@svc/runner/run/journal'
import { isRunOf, listRunFolders } from '@svc/runner/run/run-folder'
import { z } from 'zod'
import type { Credentials } from './credentials.ts'

const Kept = z.object({ baseUrl: z.string(), token: z.string() })

type Me = RouteOutput<'getMe'>

export interface RunnerToken {
  token: string
  /** Whose it is; undefined where the service does not take it. */
  person: Person | undefined
  /** The workspace that is signed in, where runs of the one before are not over here: these are reported first. */
  next?: string
}

/**
 * What a runner and its agents work with. A token from the environment is used as it is; one from a file is the
 * person's own, so a narrower one is made from it, once by that key, and kept in the runner's home. The kept one is good
 * for the person and the workspace alone that are signed in, but for what they have begun before.
 */
export async function runnerToken(
  home: Home,
  credentials: Credentials,
  idempotencyKey: string,
): Promise<RunnerToken> {
  const { baseUrl, token: own, isFromEnvironment } = credentials
  const me = await findMe(credentials)
  const person = me && personOf(me)
  if (isFromEnvironment) return { token: own, person }
  const path = join(home.folder, 'token.json')
  const kept = readKept(path)
  const keptMe = kept?.baseUrl === baseUrl ? await findMe(kept) : undefined
  if (kept && keptMe) {
    const ofKept = { token: kept.token, person: personOf(keptMe) }
    // a sign-in that has ended is nobody else's: the runner goes on with what it was given
    if (person === undefined || isSamePerson(ofKept.person, person)) return ofKept
    // who may report nothing there any more would wait for ever until these runs are over
    const mayReport = rolePermissions[keptMe.role].includes('execution_request:report')
    if (mayReport && hasRuns(home, { service: baseUrl, person: ofKept.person })) {
      return { ...ofKept, next: person.workspace }
    }
  }
  const token = await mint(credentials, idempotencyKey)
  if (token === undefined) return { token: own, person }
  writeDurably(path, JSON.stringify({ baseUrl, token }), 0o600)
  return { token, person }
}

/** What a run has left to say is taken by nobody but whom it was claimed from. */
function hasRuns(home: Home, claimant: Claimant): boolean {
  return listRunFolders(home).some(
    (folder) => !isDone(readJournal(folder)) && isRunOf(folder, claimant),
  )
}

function personOf({ user, workspace }: Me): Person {
  const { id: workspaceId, slug } = workspace
  return { userId: user.id, email: user.email, workspaceId, workspace: slug }
}

function readKept(path: string): z.infer<typeof Kept> | undefined {
  try {
    return Kept.parse(JSON.parse(readIfThere(path) ?? 'null'))
  } catch {
    return undefined
  }
}

/** Undefined where the service does not take the token. */
async function findMe({ baseUrl, token }: z.infer<typeof Kept>): Promise<Me | undefined> {
  try {
    return await createClient({ baseUrl, token }).call('getMe', {})
  } catch (error) {
    if (isServiceError(error) && error.code === 'unauthenticated') return undefined
    throw error
  }
}

/** Undefined when this credential may not make one: then it is as narrow as it gets. */
async function mint(
  { baseUrl, token }: Credentials,
  idempotencyKey: string,
): Promise<string | undefined> {
  const input = { label: `runner on ${hostname()}`.slice(0, 200), preset: 'runner' } as const
  try {
    const client = createClient({ baseUrl, token })
    return (await client.call('createUserToken', input, { idempotencyKey })).token
  } catch (error) {
    if (isServiceError(error) && error.code === 'forbidden') return undefined
    throw error
  }
}

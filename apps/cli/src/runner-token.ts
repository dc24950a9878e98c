import { hostname } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@svc/client/client'
import { isServiceError } from '@svc/contracts/errors'
import { readIfThere, writeDurably } from '@svc/runner/files/durable-file'
import type { Home } from '@svc/runner/files/home'
import { z } from 'zod'
import type { Credentials } from './credentials.ts'

const Kept = z.object({ baseUrl: z.string(), token: z.string() })

/**
 * What a runner and its agents work with. A token from the environment is used as it is; one from a file is the
 * person's own, so a narrower one is made from it, once by that key, and kept in the runner's home.
 */
export async function runnerToken(
  home: Home,
  credentials: Credentials,
  idempotencyKey: string,
): Promise<string> {
  if (credentials.isFromEnvironment) return credentials.token
  const path = join(home.folder, 'token.json')
  const kept = readKept(path)
  if (kept?.baseUrl === credentials.baseUrl && (await isGood(kept))) return kept.token
  const token = await mint(credentials, idempotencyKey)
  if (token === undefined) return credentials.token
  writeDurably(path, JSON.stringify({ baseUrl: credentials.baseUrl, token }), 0o600)
  return token
}

function readKept(path: string): z.infer<typeof Kept> | undefined {
  try {
    return Kept.parse(JSON.parse(readIfThere(path) ?? 'null'))
  } catch {
    return undefined
  }
}

async function isGood(kept: { baseUrl: string; token: string }): Promise<boolean> {
  try {
    await createClient(kept).call('getMe', {})
    return true
  } catch (error) {
    if (isServiceError(error) && error.code === 'unauthenticated') return false
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

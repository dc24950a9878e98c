import { authenticate } from '@svc/domain/access/authenticate'
import { inTransaction } from '@svc/domain/commit/transaction'
import type { Domain } from '@svc/domain/domain'
import { openSetUp, setUpPath } from '@svc/domain/people/set-up'
import { ensureOwnerOf, ensureWorkspace, issueToken } from '@svc/domain/workspaces/set-up/set-up'
import { z } from 'zod'
import { type DataFolder, readIfThere, writePrivate } from './data-folder.ts'

export const ownWorkspace = 'local'

const Owner = z.object({
  baseUrl: z.string(),
  token: z.string(),
  /** Slug of the workspace that both tokens are of. */
  workspace: z.string().default(ownWorkspace),
  runnerToken: z.string(),
  runnerHome: z.string(),
})
export type Owner = z.infer<typeof Owner>

const tokenDays = 366

/** The first start makes the workspace, its owner and their tokens; later ones find them where the command looks too. */
export async function ensureOwner(
  domain: Domain,
  data: DataFolder,
  baseUrl: string,
): Promise<Owner> {
  const known = readOwner(data)
  if (known && (await isGood(domain, known.token)) && (await isGood(domain, known.runnerToken))) {
    return keep(data, { ...known, baseUrl, runnerHome: data.runnerHome })
  }
  const { workspaceId, userId } = await ensurePerson(domain)
  const issue = (label: string, preset: 'full' | 'runner') =>
    issueToken(domain, { workspaceId, userId, label, preset, expiresInDays: tokenDays })
  return keep(data, {
    baseUrl,
    token: await issue('owner on this machine', 'full'),
    workspace: ownWorkspace,
    runnerToken: await issue('runner of the standalone app', 'runner'),
    runnerHome: data.runnerHome,
  })
}

/** The link by which the owner sets a password, as long as nobody can sign in; one of an earlier start is not good any more. */
export async function openOwnersLink(domain: Domain, baseUrl: string): Promise<string | undefined> {
  const { userId } = await ensurePerson(domain)
  const secret = await inTransaction({ domain }, (tx) => openSetUp(tx, userId))
  return secret === null ? undefined : baseUrl + setUpPath(secret)
}

/** Whose machine this is. */
export async function ensurePerson(
  domain: Domain,
): Promise<{ workspaceId: string; userId: string }> {
  const workspaceId = await ensureWorkspace(domain, { slug: ownWorkspace, name: 'Local' })
  const owner = { workspaceId, email: 'owner@localhost', name: 'Owner' }
  return { workspaceId, userId: await ensureOwnerOf(domain, owner) }
}

function keep(data: DataFolder, owner: Owner): Owner {
  writePrivate(data.ownerFile, `${JSON.stringify(owner, null, 2)}\n`)
  return owner
}

function readOwner(data: DataFolder): Owner | undefined {
  try {
    return Owner.parse(JSON.parse(readIfThere(data.ownerFile) ?? ''))
  } catch {
    return undefined
  }
}

async function isGood(domain: Domain, token: string): Promise<boolean> {
  return authenticate(domain, token, 'api').then(
    () => true,
    () => false,
  )
}

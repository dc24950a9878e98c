import { z } from 'zod'
import { type DataFolder, readIfThere, writePrivate } from '../data-folder.ts'
import type { Parts } from './open-parts.ts'

const Made = z.object({ token: z.string().nullable(), setUpUrl: z.string().nullable() })
const Known = z.object({ token: z.string() })

const workspace = 'local'
const owner = [
  '--workspace',
  workspace,
  '--workspace-name',
  'Local',
  '--email',
  'owner@example.com',
]

/**
 * The owner of the one workspace, whose token lies where `svc` looks for it. Answers the link by which they set a password, as
 * long as nobody can sign in.
 */
export async function makeOwner(
  { admin, baseUrl }: Parts,
  { ownerFile, runnerHome }: DataFolder,
): Promise<string | undefined> {
  const known = tokenIn(ownerFile)
  const words = ['create-owner', ...owner, '--name', 'Owner', '--json']
  const answered = await admin(...words, ...(known === undefined ? ['--new-token'] : []))
  const { token, setUpUrl } = Made.parse(JSON.parse(answered))
  const kept = { baseUrl, token: token ?? known, workspace, runnerHome }
  writePrivate(ownerFile, `${JSON.stringify(kept, null, 2)}\n`)
  return setUpUrl ?? undefined
}

function tokenIn(file: string): string | undefined {
  try {
    return Known.parse(JSON.parse(readIfThere(file) ?? '')).token
  } catch {
    return undefined
  }
}

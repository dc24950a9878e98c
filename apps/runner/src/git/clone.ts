import { randomUUID } from 'node:crypto'
import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { checkoutState } from '../files/resources.ts'
import { type GitOptions, gitWith } from './git.ts'

const cloneMs = 15 * 60_000

/**
 * Clones a repository to where nothing is yet; where somebody did that meanwhile, theirs stays. Git's own credentials, and
 * nobody is asked for others; no hook of a template, and no other transport wherever an address leads.
 */
export async function cloneTo(path: string, url: string, options: GitOptions = {}): Promise<void> {
  if (checkoutState(path) === 'usable') return
  const folder = dirname(path)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const half = `${path}.${randomUUID()}`
  const args = ['clone', '--quiet', '--template=', '--', url, basename(half)]
  try {
    await gitWith(trustedTransports, folder, args, { timeoutMs: cloneMs, ...options })
    renameSync(half, path)
  } catch (error) {
    if (checkoutState(path) !== 'usable') throw error
  } finally {
    rmSync(half, { recursive: true, force: true })
  }
}

/** Wherever an address leads. How ssh signs in stays what the machine's own settings say. */
export const trustedTransports = { GIT_ALLOW_PROTOCOL: 'https:ssh' }

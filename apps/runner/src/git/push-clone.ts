import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { trustedTransports } from './clone.ts'
import { GitError, type GitOptions, gitFolderOf, gitWith } from './git.ts'
import { couldNotPush, pushMs } from './push-branch.ts'

export interface ClonePush {
  /** Where it was cloned from. */
  url: string
  clone: string
  branch: string
  sha: string
  /** What this run itself has pushed before; whatever else is there is never replaced. */
  replaces: string | undefined
  /** Where a folder may be made. */
  scratch: string
}

/**
 * Takes a commit of a clone to its branch at the address that this machine trusts; a sentence where that cannot be done. It
 * leaves from a repository of its own, which borrows the commits: the clone's hooks, settings and remotes are what an agent
 * may have written, and would run outside of its sandbox, or lead elsewhere.
 */
export async function pushClone(
  { url, clone, branch, sha, replaces, scratch }: ClonePush,
  options: GitOptions,
): Promise<string | undefined> {
  const folder = mkdtempSync(join(scratch, 'push-'))
  const within = { GIT_DIR: folder, ...trustedTransports }
  const ref = `refs/heads/${branch}`
  const format = sha.length === 64 ? 'sha256' : 'sha1'
  const lease = replaces === undefined ? [] : [`--force-with-lease=${ref}:${replaces}`]
  try {
    const objects = join(await gitFolderOf(clone), 'objects')
    const init = ['init', '--quiet', '--bare', '--template=', `--object-format=${format}`]
    await gitWith(within, folder, init, options)
    writeFileSync(join(folder, 'objects', 'info', 'alternates'), `${objects}\n`)
    const push = ['push', '--quiet', ...lease, '--', url, `${sha}:${ref}`]
    await gitWith(within, folder, push, { ...options, timeoutMs: pushMs })
    return undefined
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    return couldNotPush(branch, error)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

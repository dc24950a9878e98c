import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import type { ChangedFile } from '@svc/contracts/change-rationale'

const execute = promisify(execFile)

/** What Git shows changed in the checkout around `folder` since `baseSha`, committed or not, by path. */
export async function changedFiles(folder: string, baseSha: string): Promise<ChangedFile[]> {
  const top = (await git(folder, ['rev-parse', '--show-toplevel'])).replace(/\n$/, '')
  const [diff, untracked] = await Promise.all([
    git(top, ['diff', '--name-status', '--no-relative', '--find-renames', '-z', baseSha, '--']),
    git(top, ['ls-files', '--others', '--exclude-standard', '-z']),
  ])
  const paths = untracked.split('\0').filter((path) => path !== '')
  return [
    ...parseNameStatus(diff),
    ...paths.map((filePath) => ({ filePath, vcsStatus: 'untracked' as const })),
  ].toSorted((one, other) => (one.filePath < other.filePath ? -1 : 1))
}

const statuses: Record<string, ChangedFile['vcsStatus']> = {
  A: 'added',
  C: 'copied',
  D: 'deleted',
  R: 'renamed',
}

/**
 * Reads what `git diff --name-status -z` prints: a status, its path, and for renames and copies the new path after the
 * old.
 */
export function parseNameStatus(text: string): ChangedFile[] {
  const fields = text.split('\0')
  const changes: ChangedFile[] = []
  for (let index = 0; fields[index];) {
    const letter = fields[index]?.charAt(0) ?? ''
    const width = letter === 'R' || letter === 'C' ? 3 : 2
    const filePath = fields[index + width - 1]
    if (filePath) changes.push({ filePath, vcsStatus: statuses[letter] ?? 'modified' })
    index += width
  }
  return changes
}

export function digestOf(changes: readonly ChangedFile[]): string {
  return createHash('sha256').update(JSON.stringify(changes)).digest('hex')
}

async function git(cwd: string, args: string[]): Promise<string> {
  const options = {
    cwd,
    env: { ...withoutGitFolders(process.env), GIT_OPTIONAL_LOCKS: '0' },
    timeout: 15_000,
    maxBuffer: 64 * 1024 * 1024,
  }
  const { stdout } = await execute('git', ['-c', 'core.fsmonitor=false', ...args], options)
  return stdout
}

/**
 * The environment without Git's variables: in a hook they name folders that are not always those of the checkout asked
 * about.
 */
function withoutGitFolders(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const {
    GIT_DIR: _,
    GIT_WORK_TREE: _tree,
    GIT_INDEX_FILE: _index,
    GIT_PREFIX: _prefix,
    ...rest
  } = env
  return rest
}

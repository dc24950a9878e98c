import { createHash } from 'node:crypto'
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import type { RunWorkingTree } from '../run/working-trees.ts'
import { readChanges } from './diff.ts'
import { type GitOptions, git } from './git.ts'
import { commitOf } from './refs.ts'

/** What stands in the working trees of a run at one moment. */
export interface TreeState {
  /** Last commit of its own; null where there is none. */
  commit: string | null
  /** There are changes that no commit has. */
  dirty: boolean
  /** Differs where anything differs that Git does not ignore; undefined where it could not be read whole. */
  digest: string | undefined
  /** The same of what Git ignores, such as installed packages, as far as its topmost files and folders show it. */
  ignored: string | undefined
}

const mostIgnoredBytes = 1024 * 1024

interface Look {
  /** Ends the look; its reason is thrown. */
  signal: AbortSignal
  /** What could not be read by then is unknown. */
  withinMs: number
}

/** Without Git nothing is known of it. What cannot be read, or not in time, is unknown and throws nothing. */
export async function readTreeState(
  trees: readonly RunWorkingTree[],
  { signal, withinMs }: Look,
): Promise<TreeState> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(withinMs)])
  const options = { signal: within, timeoutMs: withinMs }
  const hash = createHash('sha256')
  const state: TreeState = { commit: null, dirty: false, digest: undefined, ignored: undefined }
  const ignored: (string | undefined)[] = []
  let isWhole = trees.length > 0
  for (const { resourceKey, workingDirectory, isOwn } of trees) {
    const head = await orNothing(commitOf(workingDirectory, 'HEAD', options), signal)
    const changes = await orNothing(readChanges(workingDirectory, options), signal)
    if (isOwn) {
      state.commit = head ?? null
      state.dirty = changes !== ''
    }
    isWhole &&= head !== undefined && changes !== undefined
    hash.update(`${JSON.stringify([resourceKey, head])}\n${changes}\0`)
    ignored.push(await orNothing(readIgnored(workingDirectory, options), signal))
  }
  if (!isWhole) return state
  const isKnown = ignored.every((one) => one !== undefined)
  return { ...state, digest: hash.digest('hex'), ...(isKnown && { ignored: ignored.join('\n') }) }
}

/** Where packages are installed or something is built, a folder is there that was not, or has another time. */
async function readIgnored(workingDirectory: string, options: GitOptions): Promise<string> {
  const listing = ['ls-files', '--others', '--ignored', '--exclude-standard', '--directory', '-z']
  const printed = await git(workingDirectory, listing, { ...options, mostBytes: mostIgnoredBytes })
  // of svc itself, which writes there with each call
  const names = printed.split('\0').filter((name) => name !== '' && !name.startsWith('.svc/'))
  const entries = names.map((name) => {
    const found = lstatSync(join(workingDirectory, name), { throwIfNoEntry: false })
    return [name, found?.mtimeMs, found?.size]
  })
  return createHash('sha256').update(JSON.stringify(entries)).digest('hex')
}

/** Where Git refuses, as where the agent took its folder away, and where the time is up: a check is worth its outcome without it. */
async function orNothing<T>(reading: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  try {
    return await reading
  } catch {
    signal.throwIfAborted()
    return undefined
  }
}

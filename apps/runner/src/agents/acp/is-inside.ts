import { readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'

const mostLinks = 20

/**
 * Whether a path lies in one of the folders, links followed, as far as it is there. What Git keeps in them is none of it:
 * a hook or a setting there is a program that others start.
 */
export function insideOf(folders: readonly string[]): (path: string) => boolean {
  const roots = folders
    .filter((folder) => folder !== '')
    .flatMap((folder) => realPathOf(folder) ?? [])
  return (path) => {
    const real = realPathOf(path)
    if (real === undefined) return false
    return roots.some((root) => {
      const below = relative(root, real).toLowerCase().split(sep)
      return below[0] !== '..' && !below.includes('.git')
    })
  }
}

/** Where a file would come to lie that is not there yet. Undefined where links lead nowhere. */
function realPathOf(path: string, links = 0): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    const parent = dirname(path)
    if (parent === path || links > mostLinks) return undefined
    const target = linkAt(path)
    if (target !== undefined) return realPathOf(resolve(parent, target), links + 1)
    const folder = realPathOf(parent, links)
    return folder === undefined ? undefined : join(folder, basename(path))
  }
}

function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}

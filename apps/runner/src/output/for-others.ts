import { realpathSync } from 'node:fs'
import { cleanText } from '../plan/clean-text.ts'
import { maskWholeText } from './mask.ts'

interface Kept {
  /** By path; each with the name under which others know it. */
  folders: Readonly<Record<string, string>>
  /** Every spelling of the secrets of this machine. */
  spellings: readonly string[]
}

/** A sentence for whoever may read the mission: no secret of this machine, and its folders by their names. */
export function forOthers(text: string, { folders, spellings }: Kept): string {
  const names = new Map(Object.entries(folders))
  for (const [path, name] of Object.entries(folders)) names.set(realPathOf(path), name)
  const longestFirst = [...names].toSorted(([one], [other]) => other.length - one.length)
  let shown = text
  for (const [path, name] of longestFirst) {
    if (path.length > 1) shown = shown.replaceAll(path, name)
  }
  return cleanText(maskWholeText(shown, spellings))
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

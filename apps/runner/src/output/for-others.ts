import { realpathSync } from 'node:fs'
import { cleanText } from '../plan/clean-text.ts'
import { createTextMask } from './mask.ts'

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
  return maskAndClean(shown, spellings)
}

/** What a reader cannot see is left out, which may have stood in the middle of a secret or be a part of one. */
export function maskAndClean(text: string, spellings: readonly string[]): string {
  const mask = createTextMask(spellings)
  return mask(cleanText(mask(text)))
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

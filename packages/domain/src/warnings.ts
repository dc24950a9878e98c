import { limits } from '@svc/contracts/limits'
import { cutText } from './cut-text.ts'

/** Collected along a call that they never refuse; bounded in number and length. */
export interface Warnings {
  add(text: string): void
  list(): string[]
}

export function collectWarnings(): Warnings {
  const kept: string[] = []
  let dropped = 0
  return {
    add(text) {
      if (kept.length < limits.warnings - 1) kept.push(cutText(text, limits.warningCharacters))
      else dropped += 1
    },
    list: () => (dropped > 0 ? [...kept, `… and ${dropped} more`] : [...kept]),
  }
}

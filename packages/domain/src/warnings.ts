import { limits } from '@svc/contracts/limits'

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
      if (kept.length < limits.warnings - 1) kept.push(cut(text))
      else dropped += 1
    },
    list: () => (dropped > 0 ? [...kept, `… and ${dropped} more`] : [...kept]),
  }
}

function cut(text: string): string {
  const { warningCharacters: most } = limits
  return text.length > most ? `${text.slice(0, most - 1)}…` : text
}

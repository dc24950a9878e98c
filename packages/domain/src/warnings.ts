import { cutText } from '@svc/contracts/cut-text'
import { limits } from '@svc/contracts/limits'
import { toStorable } from '@svc/contracts/storable-text'

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
      if (kept.length < limits.warnings - 1) kept.push(toStorable(shorten(text)))
      else dropped += 1
    },
    list: () => (dropped > 0 ? [...kept, `… and ${dropped} more`] : [...kept]),
  }
}

function shorten(text: string): string {
  const most = limits.warningCharacters
  return text.length <= most ? text : `${cutText(text, most - 1)}…`
}

import { cutText } from '@svc/contracts/cut-text'
import { limits } from '@svc/contracts/limits'
import { toStorable } from '@svc/contracts/storable-text'
import { maskTokens } from '@svc/contracts/token-form'

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
      if (kept.length < limits.warnings - 1)
        kept.push(toStorable(shorten(text, limits.warningCharacters)))
      else dropped += 1
    },
    list: () => (dropped > 0 ? [...kept, `… and ${dropped} more`] : [...kept]),
  }
}

/** The text within its bound, and a warning where it was longer. A token is masked first, since half of one is not found. */
export function cutWithWarning(
  text: string,
  most: number,
  where: string,
  warnings: Warnings,
): string {
  const masked = maskTokens(text)
  if (masked.length > most) warnings.add(`${where} is cut: give at most ${most} characters`)
  return shorten(masked, most)
}

function shorten(text: string, most: number): string {
  return text.length <= most ? text : `${cutText(text, most - 1)}…`
}

import { cutText } from '@svc/contracts/cut-text'
import { type RevisionMismatch, ServiceError } from '@svc/contracts/errors'
import { limits } from '@svc/contracts/limits'
import type { NextStep } from '@svc/contracts/next-step'

/** What the call is about as it is now, under the names that its answer has for it. */
type Current = Record<string, object | null>

/** `show` makes of what was read what a refusal carries. */
export function refuseIfRevised(
  current: number,
  expected: number | undefined,
  show: () => Current,
): void {
  if (expected === undefined || expected === current) return
  const message = `It was changed meanwhile: revision ${current} and not ${expected}. Read it again, then repeat the change.`
  throw revisionMismatch(message, current, show())
}

export function revisionMismatch(
  message: string,
  currentRevision: number,
  current: Current,
  next?: NextStep,
): ServiceError {
  const details = { currentRevision, ...withinLimit(current) } satisfies RevisionMismatch
  return new ServiceError('revision_mismatch', message, details, { next })
}

/** Whole where it is within the limit; else its longest texts are cut, and what is still too large is left out. */
export function withinLimit(
  current: Current,
  most: number = limits.mismatchBytes,
): Pick<RevisionMismatch, 'current' | 'cut'> {
  const kept = structuredClone(current)
  const cut = new Set<string>()
  for (let over = sizeOf(kept) - most; over > 0; over = sizeOf(kept) - most) {
    const longest = longestText(kept)
    if (!longest) return { current: null }
    const { of, name, text, path } = longest
    // a character has one byte at least
    of[name] = cutText(text, Math.max(0, text.length - over))
    cut.add(path)
  }
  return { current: kept, ...(cut.size > 0 && { cut: [...cut] }) }
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}

/** Shorter ones say what the thing is. */
const shortText = 300

function longestText(current: Current) {
  const texts = Object.entries(current).flatMap(([kind, thing]) =>
    Object.entries(thing ?? {}).flatMap(([name, text]: [string, unknown]) => {
      const isLong = typeof text === 'string' && text.length > shortText
      // the thing is an object that has this name
      return isLong
        ? [{ of: thing as Record<string, unknown>, name, text, path: `${kind}.${name}` }]
        : []
    }),
  )
  return texts.toSorted((one, other) => other.text.length - one.text.length)[0]
}

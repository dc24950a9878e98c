import { type FindAsked, type FindSaid, mostHits } from './find-messages.ts'
import { pieceBytes } from './piece.ts'

/** What was found by now. */
export interface Finding {
  asked: FindAsked | undefined
  state: 'idle' | 'looking' | 'done' | 'cut' | 'failed'
  /** Where each begins, in order. */
  hits: readonly number[]
  /** How much of the log was looked through, from 0 to 1. */
  part: number
  /** How many lines end in each piece, by where it begins. */
  lines: ReadonlyMap<number, number>
  message: string
}

export const nothingFound: Finding = {
  asked: undefined,
  state: 'idle',
  hits: [],
  part: 0,
  lines: new Map(),
  message: '',
}

/** With what the worker says; what it still says of another question counts no more. */
export function takeFound(before: Finding, said: FindSaid): Finding {
  const { asked } = before
  if (asked === undefined || !isSame(asked, said.asked)) return before
  if (said.type === 'failed') return { ...before, state: 'failed', message: said.message }
  if (said.type === 'done') return { ...before, state: said.isCut ? 'cut' : 'done', part: 1 }
  const { hits, from, lines } = said
  const all = [...before.hits, ...hits].toSorted((one, other) => one - other)
  return {
    ...before,
    hits: all.slice(-mostHits),
    part: asked.length === 0 ? 1 : 1 - from / asked.length,
    lines: lines === undefined ? before.lines : new Map(before.lines).set(from, lines),
  }
}

/** A log that has grown since it was looked through is looked through from its last piece on. */
export function begunAgain(before: Finding, length: number): Finding | undefined {
  const { asked, state, hits } = before
  if (asked === undefined || state !== 'done' || length <= asked.length) return undefined
  const from = asked.length - (asked.length % pieceBytes)
  return {
    ...before,
    asked: { ...asked, from, length },
    state: 'looking',
    hits: hits.filter((hit) => hit < from),
  }
}

function isSame(one: FindAsked, other: FindAsked): boolean {
  return (
    one.run === other.run &&
    one.term === other.term &&
    one.from === other.from &&
    one.length === other.length
  )
}

/** The one before or behind that place; from the first one to the last, and from the last to the first. */
export function hitFrom(
  hits: readonly number[],
  current: number | undefined,
  way: 'older' | 'newer',
): number | undefined {
  if (current === undefined) return hits.at(-1)
  return way === 'older'
    ? (hits.findLast((hit) => hit < current) ?? hits.at(-1))
    : (hits.find((hit) => hit > current) ?? hits[0])
}

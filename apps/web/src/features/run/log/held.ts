import { type Piece, bytesBetween, continuedUpTo, joined, linesOf, pieceBytes } from './piece.ts'

/** What of a log the page holds: pieces that follow each other. */
export interface Held {
  pieces: readonly Piece[]
  /** Where the output ends by now. */
  length: number
  /** How many lines end in each piece that was seen as a whole, by where it begins. */
  lines: ReadonlyMap<number, number>
}

export interface Row {
  start: number
  end: number
  isGap: boolean
  /** Of its line; undefined where it is not known, and where the row goes on with a line. */
  number: number | undefined
  isContinued: boolean
}

/** All that is held, as rows; a row is read when it is drawn. */
export interface Rows {
  count: number
  startOf: (row: number) => number
  at: (row: number) => Row
  bytesOf: (row: number) => Uint8Array
  /** The row that holds the byte; the nearest one where it is not held. */
  find: (offset: number) => number
}

/** No more than that many pieces and rows are held, whichever comes first; and two pieces at least. */
const mostPieces = 24
const mostRows = 400_000

export const nothingHeld: Held = { pieces: [], length: 0, lines: new Map() }

/** With one more piece, before, behind or in place of one; what is too much goes at the other end. */
export function withPiece(held: Held, piece: Piece): Held {
  const others = held.pieces.filter(({ from }) => from !== piece.from)
  const isBefore = others.some(({ from }) => from > piece.from)
  const pieces = trimmed(isBefore ? [piece, ...others] : [...others, piece], isBefore)
  const count = linesOf(piece)
  const isWhole = piece.to - piece.from === pieceBytes
  const lines =
    count === undefined || !isWhole ? held.lines : new Map(held.lines).set(piece.from, count)
  return { ...held, pieces, lines, length: Math.max(held.length, piece.to) }
}

function trimmed(pieces: readonly Piece[], isAtStart: boolean): readonly Piece[] {
  const kept = isAtStart ? [...pieces] : pieces.toReversed()
  let rows = 0
  const most = kept.findIndex(({ starts }, index) => {
    rows += starts.length
    return index >= mostPieces || (index >= 2 && rows > mostRows)
  })
  const within = most === -1 ? kept : kept.slice(0, most)
  return isAtStart ? within : within.toReversed()
}

export function fromOf({ pieces }: Held): number {
  return pieces[0]?.from ?? 0
}

export function toOf({ pieces }: Held): number {
  return pieces.at(-1)?.to ?? 0
}

interface Placed {
  piece: Piece
  /** The number of its first row on the page, and which row of the piece that is. */
  first: number
  skipped: number
  /** The lines that end before it. */
  linesBefore: number | undefined
}

export function rowsOf(held: Held): Rows {
  const { pieces } = held
  const placed: Placed[] = []
  let count = 0
  let linesBefore = linesUpTo(held, fromOf(held))
  for (const [index, piece] of pieces.entries()) {
    const skipped = skippedOf(piece, pieces[index - 1])
    placed.push({ piece, first: count, skipped, linesBefore })
    count += piece.starts.length - skipped
    const lines = linesOf(piece)
    linesBefore = linesBefore === undefined || lines === undefined ? undefined : linesBefore + lines
  }
  let near = 0
  // rows are asked for one after the other
  const placeOf = (row: number) => {
    const isNear = row >= (placed[near]?.first ?? 0) && row < (placed[near + 1]?.first ?? count)
    if (!isNear)
      near = Math.max(
        0,
        placed.findLastIndex(({ first }) => first <= row),
      )
    return placed[near]
  }
  const startOf = (row: number) => {
    const place = placeOf(row)
    if (place === undefined || row >= count) return toOf(held)
    return place.piece.from + (place.piece.starts[row - place.first + place.skipped] ?? 0)
  }
  return {
    count,
    startOf,
    at: (row) => {
      const [start, end] = [startOf(row), startOf(row + 1)]
      const place = placeOf(row)
      if (place === undefined)
        return { start, end, isGap: false, number: undefined, isContinued: false }
      const { piece, first, skipped, linesBefore: before } = place
      const own = row - first + skipped
      const isGap = piece.gaps.has(own)
      const isContinued = piece.continued.includes(own)
      const hasGapBefore = [...piece.gaps].some((gap) => gap < own)
      const isKnown = before !== undefined && !isGap && !isContinued && !hasGapBefore
      const number = isKnown ? before + own - continuedUpTo(piece, own) + 1 : undefined
      return { start, end, isGap, isContinued, number }
    },
    bytesOf: (row) => {
      const [start, end] = [startOf(row), startOf(row + 1)]
      const parts = pieces.filter(({ from, to }) => from < end && to > start)
      return joined(...parts.map((piece) => bytesBetween(piece, start, end)))
    },
    find: (offset) => {
      let [low, high] = [0, Math.max(0, count - 1)]
      while (low < high) {
        const middle = Math.ceil((low + high) / 2)
        if (startOf(middle) <= offset) low = middle
        else high = middle - 1
      }
      return low
    },
  }
}

/** A row that goes on from the piece before is part of its last one; where that is not held, it is not shown. */
function skippedOf(piece: Piece, before: Piece | undefined): 0 | 1 {
  if (before === undefined) {
    return piece.from > 0 && piece.beginsWith === 'text' && piece.starts.length > 1 ? 1 : 0
  }
  return before.endsWith === piece.beginsWith ? 1 : 0
}

/** The lines that end before an offset at which a piece begins. */
function linesUpTo({ lines }: Held, from: number): number | undefined {
  let [sum, at] = [0, 0]
  const known = [...lines].toSorted(([one], [other]) => one - other)
  for (const [start, count] of known) {
    if (start >= from) break
    if (start !== at) return undefined
    sum += count
    at = start + pieceBytes
  }
  return at >= from ? sum : undefined
}

import { withoutSequences } from './ansi.ts'
import { type Segment, joined, linesOf, mostRowBytes, pieceBytes, pieceOf } from './piece.ts'
import { type ReadPart, pieceStart, readRange } from './read-log.ts'

/** What was found in one piece of a log. */
export interface Found {
  /** Where the piece begins. */
  from: number
  /** Where what was found begins, in order; of a line that is one row, the first. */
  hits: number[]
  /** How many lines end in the piece; undefined where that is not known. */
  lines: number | undefined
}

export interface Search {
  term: string
  /** Nothing before it is looked through. */
  from: number
  length: number
}

const newline = 10
const encoder = new TextEncoder()

/** Looks through a log from its end to its beginning: what is newest is found first. */
export async function* searchLog(
  read: ReadPart,
  { term, from, length }: Search,
  signal?: AbortSignal,
): AsyncGenerator<Found> {
  const wanted = term.toLowerCase()
  // the beginning of a line belongs to its end, which was read before
  let rest: Segment = { start: length, bytes: new Uint8Array() }
  for (
    let piece = pieceStart(Math.max(0, length - 1));
    piece + pieceBytes > from;
    piece -= pieceBytes
  ) {
    const start = Math.max(piece, from)
    const { segments, to } = await readRange(
      read,
      start,
      Math.min(piece + pieceBytes, length),
      signal,
    )
    const hits: number[][] = []
    const take = ({ start: at, bytes }: Segment) => hits.unshift(hitsIn(bytes, at, wanted))
    for (const segment of segments.toReversed()) {
      const isNext = segment.start + segment.bytes.length === rest.start
      if (!isNext) take(rest)
      const bytes = isNext ? joined(segment.bytes, rest.bytes) : segment.bytes
      // a line that fills the piece is looked through in parts
      const isCut = segment.start === start && start > from
      const cut = isCut ? bytes.indexOf(newline) + 1 : 0
      take({ start: segment.start + cut, bytes: bytes.subarray(cut) })
      rest = { start: segment.start, bytes: bytes.subarray(0, cut) }
    }
    if (segments.length === 0) {
      take(rest)
      rest = { start, bytes: new Uint8Array() }
    }
    const lines = start === piece ? linesOf(pieceOf(piece, to, segments)) : undefined
    yield { from: piece, hits: hits.flat(), lines }
  }
}

/** Where the term begins in these lines. */
export function hitsIn(bytes: Uint8Array, start: number, term: string): number[] {
  if (bytes.length === 0 || term === '') return []
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const isThere = withoutSequences(decoder.decode(bytes)).toLowerCase().includes(term)
  if (!isThere) return []
  const hits: number[] = []
  for (let at = 0; at < bytes.length;) {
    const found = bytes.indexOf(newline, at)
    const end = found === -1 ? bytes.length : found
    const line = decoder.decode(bytes.subarray(at, end))
    hits.push(...placesIn(line, term).map((place) => start + at + place))
    at = end + 1
  }
  return hits
}

/** In bytes of the line; a line of several rows may have one in each. */
function placesIn(line: string, term: string): number[] {
  const shown = withoutSequences(line)
  const text = shown.toLowerCase()
  const first = text.indexOf(term)
  if (first === -1) return []
  // between the letters may be what is not shown: the line is found, and not the place in it
  if (shown !== line) return [0]
  const places: number[] = []
  let [at, bytes] = [0, 0]
  for (let next = first; next !== -1; next = text.indexOf(term, at + mostRowBytes)) {
    bytes += encoder.encode(line.slice(at, next)).length
    places.push(bytes)
    at = next
  }
  return places
}

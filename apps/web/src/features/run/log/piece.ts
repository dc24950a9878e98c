/** Output that is kept, byte by byte, from an offset of the log on. */
export interface Segment {
  start: number
  bytes: Uint8Array
}

/** Where a piece stops: behind a newline, in the middle of a line, or where nothing is kept. */
type End = 'line' | 'text' | 'gap'

/** A part of a log with where its rows begin; nothing of it is text before it is drawn. */
export interface Piece {
  from: number
  to: number
  /** In order; what lies between two of them, before the first or behind the last is not kept. */
  segments: readonly Segment[]
  /** Where each row begins, counted from `from`. A gap is a row. */
  starts: Uint32Array
  /** Rows that go on with a line which is too long for one. */
  continued: readonly number[]
  gaps: ReadonlySet<number>
  beginsWith: 'text' | 'gap'
  endsWith: End
}

/** Pieces begin at multiples of it, so that the same part of a log is always the same piece. */
export const pieceBytes = 1024 * 1024
/** A longer line is several rows: it is drawn in parts, and a page of one endless line can be scrolled. */
export const mostRowBytes = 4_096

const newline = 10

export function pieceOf(from: number, to: number, segments: readonly Segment[]): Piece {
  const starts: number[] = []
  const continued: number[] = []
  const gaps = new Set<number>()
  const gapTo = (at: number, end: number) => {
    if (end <= at) return at
    gaps.add(starts.length)
    starts.push(at - from)
    return end
  }
  let at = from
  for (const { start, bytes } of segments) {
    gapTo(at, start)
    for (let row = 0; row < bytes.length;) {
      starts.push(start + row - from)
      const found = bytes.indexOf(newline, row)
      const next = found === -1 ? bytes.length : found + 1
      for (row = nextPart(bytes, row, next); row < next; row = nextPart(bytes, row, next)) {
        continued.push(starts.length)
        starts.push(start + row - from)
      }
    }
    at = start + bytes.length
  }
  const last = segments.at(-1)?.bytes.at(-1)
  const isGapLast = gapTo(at, to) > at || last === undefined
  return {
    from,
    to,
    segments,
    starts: Uint32Array.from(starts),
    continued,
    gaps,
    beginsWith: segments[0]?.start === from ? 'text' : 'gap',
    endsWith: isGapLast ? 'gap' : last === newline ? 'line' : 'text',
  }
}

/** The next row of a long line: no character is cut in two. */
function nextPart(bytes: Uint8Array, row: number, end: number): number {
  // the newline itself makes no row
  if (end - row <= mostRowBytes + 1) return end
  let next = row + mostRowBytes
  // the later bytes of a character in UTF-8 are 10xxxxxx
  while (next > row + mostRowBytes - 4 && ((bytes[next] ?? 0) & 0xc0) === 0x80) next -= 1
  return next
}

/** The piece with what has come behind it. */
export function grown(piece: Piece, to: number, more: readonly Segment[]): Piece {
  const segments: Segment[] = [...piece.segments]
  for (const next of more) {
    const last = segments.at(-1)
    if (last === undefined || last.start + last.bytes.length !== next.start) segments.push(next)
    else
      segments[segments.length - 1] = { start: last.start, bytes: joined(last.bytes, next.bytes) }
  }
  return pieceOf(piece.from, to, segments)
}

export function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/** How many lines end in it; not known where something of it is missing. */
export function linesOf({ starts, continued, gaps, endsWith }: Piece): number | undefined {
  if (gaps.size > 0) return undefined
  return starts.length - 1 - continued.length + (endsWith === 'line' ? 1 : 0)
}

/** The rows that go on with a line, up to and with that row. */
export function continuedUpTo({ continued }: Piece, row: number): number {
  let count = 0
  while (count < continued.length && (continued[count] ?? 0) <= row) count += 1
  return count
}

/** What is kept between two offsets. */
export function bytesBetween({ segments }: Piece, start: number, end: number): Uint8Array {
  return joined(
    ...segments.map(({ start: begins, bytes }) =>
      bytes.subarray(Math.max(0, start - begins), Math.max(0, end - begins)),
    ),
  )
}

import type { BrowserClient } from '@svc/client/browser'
import type { RouteRequest } from '@svc/contracts/rest'
import { type Piece, type Segment, pieceBytes, pieceOf } from './piece.ts'

/** What one answer of the log holds. */
export interface Part {
  /** Where its bytes begin, behind what is not kept. */
  start: number
  bytes: Uint8Array
  /** Where the output ends by now. */
  length: number
}

export type ReadPart = (
  asked: Pick<RouteRequest<'getRunLog'>, 'offset' | 'tail' | 'bytes'>,
  signal?: AbortSignal,
) => Promise<Part>

/** Reads the log of a run; the line that stands for a gap is left out, since offsets say the same. */
export function readerOf(call: BrowserClient['call'], id: string): ReadPart {
  return async (asked, signal) => {
    const { bytes, headers } = await call('getRunLog', { id, ...asked }, signal ? { signal } : {})
    const numberOf = (name: string) => Number(headers[`x-svc-${name}`] ?? 0)
    const start = numberOf('offset')
    const kept = numberOf('next-offset') - start
    return { start, bytes: bytes.subarray(bytes.length - kept), length: numberOf('length') }
  }
}

export interface Range {
  segments: Segment[]
  /** Up to where it is known by now what is kept. */
  to: number
  length: number
}

/** All that is kept between two offsets, in as many answers as that takes. */
export async function readRange(
  read: ReadPart,
  from: number,
  to: number,
  signal?: AbortSignal,
): Promise<Range> {
  const segments: Segment[] = []
  let [at, length] = [from, to]
  while (at < to) {
    const part = await read({ offset: at, bytes: to - at }, signal)
    length = part.length
    const bytes = part.bytes.subarray(0, Math.max(0, to - part.start))
    if (bytes.length === 0) break
    segments.push({ start: part.start, bytes })
    at = part.start + bytes.length
  }
  return { segments, to: Math.max(from, Math.min(to, length)), length }
}

/** Where the piece begins that holds a byte. */
export function pieceStart(offset: number): number {
  return offset - (offset % pieceBytes)
}

/** The piece that begins there, as far as there is output by now. */
export async function readPiece(
  read: ReadPart,
  from: number,
  signal?: AbortSignal,
): Promise<{ piece: Piece; length: number }> {
  const { segments, to, length } = await readRange(read, from, from + pieceBytes, signal)
  return { piece: pieceOf(from, to, segments), length }
}

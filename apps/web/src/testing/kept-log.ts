import type { ReadPart } from '../features/run/log/read-log.ts'
import type { Segment } from '../features/run/log/piece.ts'

/** A log as the service answers it: from any byte, up to where something is missing. */
export function keptLog(parts: readonly { start: number; text: string }[]): ReadPart {
  const kept = parts.map(({ start, text }): Segment => ({
    start,
    bytes: new TextEncoder().encode(text),
  }))
  return async ({ offset = 0, tail, bytes = 1024 * 1024 }) => {
    const length = kept.reduce((end, part) => Math.max(end, part.start + part.bytes.length), 0)
    const from = tail === undefined ? Number(offset) : Math.max(0, length - Number(tail))
    const part = kept.find(({ start, bytes: all }) => start + all.length > from)
    if (part === undefined)
      return { start: Math.max(from, length), bytes: new Uint8Array(), length }
    const start = Math.max(from, part.start)
    const first = start - part.start
    return { start, bytes: part.bytes.subarray(first, first + Number(bytes)), length }
  }
}

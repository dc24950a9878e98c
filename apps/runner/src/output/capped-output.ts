import { appendFileSync } from 'node:fs'
import { readPart } from '../files/read-part.ts'

export interface OutputLimits {
  headBytes: number
  tailBytes: number
}

const mostTailBytes = 3 * 1024 * 1024
/** Of the beginning as much stays in memory, for a disk that is full. */
const heldBytes = 1024 * 1024

/** What is kept of a run's output, where all of it may be so much: the beginning, and of the end what fits into memory. */
export function outputLimitsOf(logBytes: number): OutputLimits {
  const tailBytes = Math.min(mostTailBytes, Math.floor(logBytes / 4))
  return { headBytes: logBytes - tailBytes, tailBytes }
}

/** Masked output, of which the beginning and the end are kept. */
export interface CappedOutput {
  write: (bytes: Buffer) => void
  /** How long the beginning is; it grows until it reaches its limit. */
  headLength: () => number
  /** Of the beginning from there on, so many bytes at most; before them `skipped` ones that no disk took. */
  head: (from: number, most: number) => { bytes: Buffer; skipped: number }
  /** What is kept of the rest, and how many bytes were dropped before it. */
  tail: () => { bytes: Buffer; skipped: number }
  /** The last characters, for the exit report. */
  last: (bytes: number) => string
  /** Writes the end to the file, behind a line that names the gap. */
  finish: () => void
}

/** `file` gets the beginning as it comes and the end at the end. A full disk costs what is not in memory, and not the run. */
export function createCappedOutput(
  file: string,
  limits: OutputLimits,
  mostHeld = heldBytes,
): CappedOutput {
  /** The newest of the beginning. */
  const held = createRing(mostHeld)
  const tail = createRing(limits.tailBytes)
  let headBytes = 0
  /** So much of the beginning the file has without a gap. */
  let inFile = 0

  function keepInHead(bytes: Buffer): void {
    held.add(bytes)
    const isWritten = append(file, bytes)
    if (isWritten && inFile === headBytes) inFile += bytes.length
    headBytes += bytes.length
  }

  return {
    write(bytes) {
      const forHead = bytes.subarray(0, limits.headBytes - headBytes)
      if (forHead.length > 0) keepInHead(forHead)
      if (bytes.length > forHead.length) tail.add(bytes.subarray(forHead.length))
    },
    headLength: () => headBytes,
    head(from, most) {
      const heldFrom = headBytes - held.length()
      const read =
        from < heldFrom && from < inFile
          ? readPart(file, from, Math.min(most, inFile - from))
          : undefined
      if (read && read.length > 0) return { bytes: read, skipped: 0 }
      const start = Math.max(from, heldFrom)
      const bytes = held.all().subarray(start - heldFrom, start - heldFrom + most)
      return { bytes, skipped: start - from }
    },
    tail: () => ({ bytes: tail.all(), skipped: tail.dropped() }),
    last(bytes) {
      const end = tail.length() >= bytes ? tail.all() : Buffer.concat([held.all(), tail.all()])
      return end.subarray(-bytes).toString('utf8')
    },
    finish() {
      if (tail.dropped() > 0) append(file, Buffer.from(gapLine(tail.dropped())))
      append(file, tail.all())
    },
  }
}

/** The last bytes of what comes. */
function createRing(most: number) {
  const parts: Buffer[] = []
  let length = 0
  let dropped = 0
  return {
    add(bytes: Buffer): void {
      parts.push(bytes)
      length += bytes.length
      while (length > most) {
        const over = length - most
        const first = parts.shift() ?? Buffer.alloc(0)
        if (first.length > over) parts.unshift(first.subarray(over))
        const gone = Math.min(first.length, over)
        length -= gone
        dropped += gone
      }
    },
    all: () => Buffer.concat(parts),
    length: () => length,
    dropped: () => dropped,
  }
}

export function gapLine(skipped: number): string {
  return `\n[${skipped} bytes are not kept]\n`
}

function append(file: string, bytes: Buffer): boolean {
  try {
    appendFileSync(file, bytes, { mode: 0o600 })
    return true
  } catch {
    return false
  }
}

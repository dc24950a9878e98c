import { appendFileSync } from 'node:fs'

export interface OutputLimits {
  headBytes: number
  tailBytes: number
}

export const outputLimits: OutputLimits = { headBytes: 1024 * 1024, tailBytes: 3 * 1024 * 1024 }

/** Masked output, of which the beginning and the end are kept. */
export interface CappedOutput {
  write: (bytes: Buffer) => void
  /** The beginning, up to its limit; grows until it is reached. */
  head: () => Buffer
  /** What is kept of the rest, and how many bytes were dropped before it. */
  tail: () => { bytes: Buffer; skipped: number }
  /** The last characters, for the exit report. */
  last: (bytes: number) => string
  /** Writes the end to the file, behind a line that names the gap. */
  finish: () => void
}

/** `file` gets the beginning as it comes and the end at the end. A full disk loses the file and not the run. */
export function createCappedOutput(file: string, limits = outputLimits): CappedOutput {
  const head: Buffer[] = []
  const tail: Buffer[] = []
  let headBytes = 0
  let tailBytes = 0
  let skipped = 0

  function keepInTail(bytes: Buffer): void {
    tail.push(bytes)
    tailBytes += bytes.length
    while (tailBytes > limits.tailBytes) {
      const over = tailBytes - limits.tailBytes
      const first = tail.shift() ?? Buffer.alloc(0)
      if (first.length > over) tail.unshift(first.subarray(over))
      const dropped = Math.min(first.length, over)
      tailBytes -= dropped
      skipped += dropped
    }
  }

  return {
    write(bytes) {
      const forHead = bytes.subarray(0, limits.headBytes - headBytes)
      if (forHead.length > 0) {
        head.push(forHead)
        headBytes += forHead.length
        append(file, forHead)
      }
      if (bytes.length > forHead.length) keepInTail(bytes.subarray(forHead.length))
    },
    head: () => Buffer.concat(head),
    tail: () => ({ bytes: Buffer.concat(tail), skipped }),
    last(bytes) {
      const end = tailBytes >= bytes ? Buffer.concat(tail) : Buffer.concat([...head, ...tail])
      return end.subarray(-bytes).toString('utf8')
    },
    finish() {
      if (skipped > 0) append(file, Buffer.from(gapLine(skipped)))
      append(file, Buffer.concat(tail))
    },
  }
}

export function gapLine(skipped: number): string {
  return `\n[${skipped} bytes are not kept]\n`
}

function append(file: string, bytes: Buffer): void {
  try {
    appendFileSync(file, bytes, { mode: 0o600 })
  } catch {
    // The upload has its own copy.
  }
}

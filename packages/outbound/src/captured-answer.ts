const mostHeaderBytes = 4096

/** What is kept of an answer. */
export interface CapturedAnswer {
  /** In the order they came, names in lower case, values as latin-1. */
  headers: [name: string, value: string][]
  body: Buffer
  /** Whether there was, or might have been, more of either. */
  truncated: boolean
}

export interface Capture {
  addHeaders: (raw: readonly unknown[]) => void
  /** False when nothing more is kept. */
  addBody: (chunk: Uint8Array) => boolean
  cut: () => void
  answer: () => CapturedAnswer
}

const secretHeaders = new Set(['authorization', 'set-cookie'])

export function createCapture(mostBodyBytes = 16_384): Capture {
  const headers: [string, string][] = []
  const chunks: Uint8Array[] = []
  let size = 0
  let truncated = false
  return {
    addHeaders(raw) {
      let left = mostHeaderBytes
      for (let index = 0; index + 1 < raw.length; index += 2) {
        const name = text(raw[index]).toLowerCase()
        const value = secretHeaders.has(name) ? '(redacted)' : text(raw[index + 1])
        left -= name.length + value.length
        if (left < 0) {
          truncated = true
          return
        }
        headers.push([name, value])
      }
    },
    addBody(chunk) {
      const kept = chunk.subarray(0, mostBodyBytes - size)
      chunks.push(kept)
      size += kept.length
      if (kept.length < chunk.length) truncated = true
      return kept.length === chunk.length
    },
    cut() {
      truncated = true
    },
    answer: () => ({ headers, body: Buffer.concat(chunks), truncated }),
  }
}

function text(value: unknown): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value)
}

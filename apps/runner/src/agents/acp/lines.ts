/** More than any message needs that a person should wait for. */
const longestLine = 16 * 1024 * 1024

export interface Lines {
  push: (chunk: Uint8Array) => void
  /** What came behind the last line break, at the end of the stream. */
  end: () => void
}

/** Splits a stream into lines. A line longer than the bound is dropped as it comes, and reported as left out. */
export function readLines(
  onLine: (line: string) => void,
  onLeftOut: () => void,
  longest = longestLine,
): Lines {
  const decoder = new TextDecoder()
  let pending: string[] = []
  let length = 0
  let isLeftOut = false

  function add(text: string): void {
    if (isLeftOut) return
    pending.push(text)
    length += text.length
    if (length <= longest) return
    isLeftOut = true
    pending = []
  }

  function finish(): void {
    const line = pending.join('').replace(/\r$/, '')
    const wasLeftOut = isLeftOut
    pending = []
    length = 0
    isLeftOut = false
    if (wasLeftOut) onLeftOut()
    else if (line !== '') onLine(line)
  }

  function take(text: string): void {
    let from = 0
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', from)) {
      add(text.slice(from, at))
      finish()
      from = at + 1
    }
    if (from < text.length) add(text.slice(from))
  }

  return {
    push: (chunk) => take(decoder.decode(chunk, { stream: true })),
    end() {
      take(decoder.decode())
      finish()
    },
  }
}

/** Texts are collected up to this, since masking secrets costs as much for a word as for a page. */
const mostCharacters = 4_000
const longestWaitMs = 250

export interface Collected {
  add: (text: string) => void
  /** Hands on what was collected so far. */
  flush: () => void
}

/** Collects pieces of a text and hands them on together: after a moment, or once they are many. */
export function collect(handOn: (text: string) => void): Collected {
  let waiting = ''
  let timer: NodeJS.Timeout | undefined

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    const text = waiting
    waiting = ''
    if (text !== '') handOn(text)
  }

  return {
    add(text) {
      waiting += text
      if (waiting.length >= mostCharacters) flush()
      else timer ??= setTimeout(flush, longestWaitMs)
    },
    flush,
  }
}

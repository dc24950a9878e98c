import { type Message, textOf, updateIn } from './message.ts'

const mostCalls = 200
/** Of all that is kept of them, as JSON: a call may hold the files that it would write. */
const mostCharacters = 32 * 1024 * 1024

export interface KnownCalls {
  heard: (message: Message) => void
  /** All that was said of a call so far; empty where nothing was. */
  find: (toolCallId: string) => Message
}

/** Keeps what is known of each tool call: a request for a permission may name a call and repeat only what has changed. */
export function rememberCalls(): KnownCalls {
  const calls = new Map<string, { said: Message; size: number }>()
  let size = 0

  function forget(id: string): Message {
    const { said = {}, size: its = 0 } = calls.get(id) ?? {}
    calls.delete(id)
    size -= its
    return said
  }

  return {
    heard(message) {
      const update = updateIn(message)
      const kind = update?.['sessionUpdate']
      const id = textOf(update?.['toolCallId'])
      if (update === undefined || id === undefined) return
      if (kind !== 'tool_call' && kind !== 'tool_call_update') return
      const status = update['status']
      const before = forget(id)
      if (status === 'completed' || status === 'failed') return
      const news = Object.entries(update).filter(([, value]) => value !== null)
      const said = { ...before, ...Object.fromEntries(news) }
      const known = { said, size: JSON.stringify(said).length }
      calls.set(id, known)
      size += known.size
      for (const oldest of calls.keys()) {
        if (calls.size <= mostCalls && size <= mostCharacters) break
        forget(oldest)
      }
    },
    find: (toolCallId) => calls.get(toolCallId)?.said ?? {},
  }
}

import { type Message, textOf, updateIn } from './message.ts'

const mostCalls = 200

export interface KnownCalls {
  heard: (message: Message) => void
  /** All that was said of a call so far; empty where nothing was. */
  find: (toolCallId: string) => Message
}

/** Keeps what is known of each tool call: a request for a permission may name a call and repeat only what has changed. */
export function rememberCalls(): KnownCalls {
  const calls = new Map<string, Message>()
  return {
    heard(message) {
      const update = updateIn(message)
      const kind = update?.['sessionUpdate']
      const id = textOf(update?.['toolCallId'])
      if (update === undefined || id === undefined) return
      if (kind !== 'tool_call' && kind !== 'tool_call_update') return
      const status = update['status']
      const before = calls.get(id) ?? {}
      calls.delete(id)
      if (status === 'completed' || status === 'failed') return
      const said = Object.entries(update).filter(([, value]) => value !== null)
      calls.set(id, { ...before, ...Object.fromEntries(said) })
      const [oldest] = calls.keys()
      if (calls.size > mostCalls && oldest !== undefined) calls.delete(oldest)
    },
    find: (toolCallId) => calls.get(toolCallId) ?? {},
  }
}

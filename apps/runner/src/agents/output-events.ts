import { cutText } from '@svc/contracts/cut-text'
import { type Usage, usageOf } from '@svc/contracts/usage'
import { parseJson } from '../files/parse-json.ts'
import type { MetLimit } from '@svc/contracts/agent-limit'
import type { Adapter } from './adapter.ts'
import { watchLimits } from './limits.ts'
import { valueAt } from './output-path.ts'

const longestLine = 1024 * 1024

/** Reads the events in an agent's output, line by line as JSON; anything else in it is passed over. */
export interface OutputEvents {
  push: (chunk: Uint8Array) => void
  usage: () => Usage | undefined
  /** The last thing that it said went wrong, not masked. */
  error: () => string | undefined
}

/**
 * `onSessionId` hears the agent's own session id once it is known, `onError` each time that it says what went wrong,
 * `onLimit` where that is a limit of its provider.
 */
export function readOutputEvents(
  adapter: Adapter,
  onSessionId: (externalSessionId: string) => void,
  onError: (error: string) => void = () => undefined,
  onLimit: (limit: MetLimit) => void = () => undefined,
): OutputEvents {
  const decoder = new TextDecoder()
  const found = new Map<string, unknown>()
  let pending = ''
  let announced = false
  let lastError: string | undefined
  const lookForLimits = watchLimits(adapter.limits, onLimit)

  function take(event: unknown): void {
    for (const [name, at] of Object.entries(adapter.usage)) {
      const value = at && valueAt(event, at)
      if (typeof value === 'number') found.set(name, value)
    }
    for (const at of adapter.errors) {
      const said = valueAt(event, at)
      if (typeof said !== 'string' || said.trim() === '') continue
      lastError = said
      onError(said)
    }
    lookForLimits(event)
    const id = adapter.sessionIdAt && valueAt(event, adapter.sessionIdAt)
    if (typeof id !== 'string' || announced) return
    announced = true
    onSessionId(cutText(id, 200))
  }

  return {
    push(chunk) {
      const lines = (pending + decoder.decode(chunk, { stream: true })).split('\n')
      pending = lines.pop() ?? ''
      if (pending.length > longestLine) pending = ''
      for (const line of lines) take(line.startsWith('{') ? parseJson(line) : undefined)
    },
    usage: () => usageOf(Object.fromEntries(found)),
    error: () => lastError,
  }
}

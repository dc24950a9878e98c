import { cutText } from '@svc/contracts/cut-text'
import { parseJson } from '../files/parse-json.ts'
import { usageKinds } from '@svc/contracts/usage'
import type { Adapter } from './adapter.ts'
import { type OnLimit, watchLimits } from './limits.ts'
import { valueAt } from './output-path.ts'
import { type ToldUsage, noteUsage } from './told-usage.ts'

const longestLine = 1024 * 1024

/** Reads the events in an agent's output, line by line as JSON; anything else in it is passed over. */
export interface OutputEvents {
  push: (chunk: Uint8Array) => void
  usage: () => ToldUsage | undefined
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
  onLimit: OnLimit = () => undefined,
): OutputEvents {
  const decoder = new TextDecoder()
  const usage = noteUsage()
  const usagePaths = usageKinds.flatMap((what) => {
    const at = adapter.usage[what]
    return at ? [{ ...at, what }] : []
  })
  let pending = ''
  let announced = false
  let lastError: string | undefined
  const lookForLimits = watchLimits(adapter.limits, onLimit)

  function take(event: unknown): void {
    for (const at of usagePaths) usage.note(at.covers, at.what, valueAt(event, at))
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
    usage: usage.told,
    error: () => lastError,
  }
}

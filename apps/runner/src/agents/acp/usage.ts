import { type Usage, usageOf } from '@svc/contracts/usage'
import { type Message, objectOf, updateIn } from './message.ts'

export interface UsageReader {
  heard: (message: Message) => void
  /** What the answer to a prompt says. */
  prompted: (answer: Message) => void
  usage: () => Usage | undefined
}

/** Reads what an agent says that it has used: money as it goes, tokens at the end of its turn. */
export function readUsage(): UsageReader {
  const found: Record<string, unknown> = {}
  return {
    heard(message) {
      const update = updateIn(message)
      if (update?.['sessionUpdate'] !== 'usage_update') return
      const { amount, currency } = objectOf(update['cost'])
      if (currency === 'USD') found['usd'] = amount
    },
    prompted(answer) {
      const usage = objectOf(answer['usage'])
      const quota = objectOf(objectOf(objectOf(answer['_meta'])['quota'])['token_count'])
      found['inputTokens'] = usage['inputTokens'] ?? quota['input_tokens']
      found['outputTokens'] = usage['outputTokens'] ?? quota['output_tokens']
    },
    usage: () => usageOf(found),
  }
}

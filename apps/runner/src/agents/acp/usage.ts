import { type ToldUsage, noteUsage } from '../told-usage.ts'
import { type Message, objectOf, updateIn } from './message.ts'

export interface UsageReader {
  heard: (message: Message) => void
  /** What the answer to a prompt says. */
  prompted: (answer: Message) => void
  usage: () => ToldUsage | undefined
}

/** Reads what an agent says that it has used: the money of its conversation as it goes, the tokens of its turn at the end. */
export function readUsage(): UsageReader {
  const { note, told } = noteUsage()
  return {
    heard(message) {
      const update = updateIn(message)
      if (update?.['sessionUpdate'] !== 'usage_update') return
      const { amount, currency } = objectOf(update['cost'])
      if (currency === 'USD') note('conversation', 'usd', amount)
    },
    prompted(answer) {
      const usage = objectOf(answer['usage'])
      const quota = objectOf(objectOf(objectOf(answer['_meta'])['quota'])['token_count'])
      note('run', 'inputTokens', usage['inputTokens'] ?? quota['input_tokens'])
      note('run', 'outputTokens', usage['outputTokens'] ?? quota['output_tokens'])
    },
    usage: told,
  }
}

import type { Adapter } from '../adapter.ts'
import { type ToldUsage, noteUsage } from '../told-usage.ts'
import { type Message, objectOf, updateIn } from './message.ts'

export interface UsageReader {
  heard: (message: Message) => void
  /** What the answer to a prompt says. */
  prompted: (answer: Message) => void
  usage: () => ToldUsage | undefined
}

/**
 * Reads what an agent says that it has used: the money of its conversation as it goes, the tokens of its turn at the end,
 * or with each answer of its model.
 */
export function readUsage(tokensOf: Adapter['tokensOf'] = 'turn'): UsageReader {
  const { note, told } = noteUsage()
  let input = 0
  let output = 0

  function addAnswer({ inputTokens, outputTokens }: Message): void {
    if (typeof inputTokens !== 'number' || typeof outputTokens !== 'number') return
    input += inputTokens
    output += outputTokens
    noteTokens(input, output)
  }

  function noteTokens(inputTokens: unknown, outputTokens: unknown): void {
    note('run', 'inputTokens', inputTokens)
    note('run', 'outputTokens', outputTokens)
  }

  return {
    heard(message) {
      const update = updateIn(message)
      if (update === undefined) return
      addAnswer(objectOf(objectOf(update['_meta'])['usage']))
      if (update['sessionUpdate'] !== 'usage_update') return
      const { amount, currency } = objectOf(update['cost'])
      // one that knows no price of its model says 0
      if (currency === 'USD' && amount !== 0) note('conversation', 'usd', amount)
    },
    prompted(answer) {
      if (tokensOf === 'answer') return
      const usage = objectOf(answer['usage'])
      const quota = objectOf(objectOf(objectOf(answer['_meta'])['quota'])['token_count'])
      noteTokens(
        usage['inputTokens'] ?? quota['input_tokens'],
        usage['outputTokens'] ?? quota['output_tokens'],
      )
    },
    usage: told,
  }
}

import { expect, test } from 'vitest'
import { followProgress } from './progress.ts'
import { readUsage } from './usage.ts'

const updated = (update: object) => ({
  jsonrpc: '2.0',
  method: 'session/update',
  params: { sessionId: 's', update },
})

test('what an agent says, does and plans becomes a few lines, and each of them once', () => {
  const progress = followProgress((text) => text.replaceAll('secret', '[masked]'))
  expect(progress.take()).toBeUndefined()
  progress.spoken('I look at the tests.\n')
  for (const title of ['npm test', 'npm test', 'cat secret']) {
    progress.heard(updated({ sessionUpdate: 'tool_call', toolCallId: title, title }))
  }
  progress.heard(
    updated({
      sessionUpdate: 'plan',
      entries: [
        { content: 'Look', status: 'completed' },
        { content: 'Keep the secret', status: 'in_progress' },
      ],
    }),
  )
  expect(progress.take()).toBe(
    'I look at the tests.\n> npm test\n> cat [masked]\nPlan: 1 of 2 done, now: Keep the [masked]',
  )
  expect(progress.take()).toBeUndefined()
})

test('a long while is told by its end', () => {
  const progress = followProgress((text) => text)
  for (let at = 0; at < 1000; at += 1) {
    progress.spoken(`Line ${at}.\n`)
    progress.heard(
      updated({ sessionUpdate: 'tool_call', toolCallId: `${at}`, title: `call ${at}` }),
    )
  }
  const text = progress.take() ?? ''
  expect(text.length).toBeLessThan(2_500)
  expect(text).toMatch(/^…Line \d+\.\n/)
  expect(text).toContain('Line 999.\n(and 992 calls before)\n> call 992\n')
})

test('usage is read as it goes, and at the end of the turn', () => {
  const usage = readUsage()
  expect(usage.usage()).toBeUndefined()
  for (const amount of [0.1, 0.25]) {
    const cost = { amount, currency: 'USD' }
    usage.heard(updated({ sessionUpdate: 'usage_update', used: 1, size: 2, cost }))
  }
  usage.heard(updated({ sessionUpdate: 'usage_update', cost: { amount: 9, currency: 'EUR' } }))
  usage.prompted({ stopReason: 'end_turn', usage: { inputTokens: 40, outputTokens: 2 } })
  expect(usage.usage()).toEqual({
    run: { inputTokens: 40, outputTokens: 2 },
    conversation: { usd: '0.25' },
  })

  const byQuota = readUsage()
  const token_count = { input_tokens: 7, output_tokens: 1 }
  byQuota.prompted({ stopReason: 'end_turn', _meta: { quota: { token_count } } })
  expect(byQuota.usage()).toEqual({ run: { inputTokens: 7, outputTokens: 1 } })
})

test('tokens are added up that come with each answer, and no others are taken for those of a turn', () => {
  const usage = readUsage('answer')
  const answer = { usage: { inputTokens: 1200, outputTokens: 40 } }
  const content = { type: 'text', text: '' }
  usage.prompted({ stopReason: 'end_turn', ...answer })
  expect(usage.usage()).toBeUndefined()
  for (const _ of [1, 2]) {
    usage.heard(updated({ sessionUpdate: 'agent_message_chunk', content, _meta: answer }))
  }
  expect(usage.usage()).toEqual({ run: { inputTokens: 2400, outputTokens: 80 } })
})

test('money that nobody knows is not taken for 0', () => {
  const usage = readUsage()
  usage.heard(updated({ sessionUpdate: 'usage_update', cost: { amount: 0, currency: 'USD' } }))
  expect(usage.usage()).toBeUndefined()
})

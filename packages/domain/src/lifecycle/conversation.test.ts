import type { ConversationUsage, Usage } from '@svc/contracts/usage'
import { expect, test } from 'vitest'
import { partOf } from './conversation.ts'

type Counted = Parameters<typeof partOf>[0]

interface Told {
  seq: number
  usage: Usage
  kind?: 'run' | 'resume'
  attempt?: number
  of?: string
}

/** The parts of runs, as they are reported one after the other. */
function parts(reports: readonly Told[]): Usage[] {
  let counted: Counted = null
  return reports.map(
    ({ seq, usage, kind = seq === 1 ? 'run' : 'resume', attempt = 1, of = 'c' }) => {
      const told: ConversationUsage = { externalSessionId: of, usage }
      const next = partOf(counted, { seq, kind, attempt }, told)
      counted = next.counted
      return next.part
    },
  )
}

test('a run of a conversation has what was not counted with those before it', () => {
  expect(
    parts([
      { seq: 1, usage: { usd: '0.0392', inputTokens: 8_400 } },
      { seq: 2, usage: { usd: '0.0728', inputTokens: 15_600, outputTokens: 9 } },
      { seq: 3, usage: { usd: '0.0728' } },
    ]),
  ).toEqual([
    { usd: '0.0392', inputTokens: 8_400 },
    { usd: '0.0336', inputTokens: 7_200, outputTokens: 9 },
    { usd: '0' },
  ])
})

test('what a run that is not heard of had is counted with the next one', () => {
  const first = { seq: 1, usage: { usd: '1' } }
  expect(parts([first, { seq: 3, usage: { usd: '4' } }])).toEqual([{ usd: '1' }, { usd: '3' }])
  expect(parts([{ seq: 2, usage: { usd: '2' } }])).toEqual([{ usd: '2' }])
})

test('of a run that reports after a later one nothing is known but what that one was not counted with', () => {
  const reports: Told[] = [
    { seq: 1, usage: { usd: '1' } },
    { seq: 3, usage: { usd: '4' } },
    { seq: 2, usage: { usd: '3', inputTokens: 5 } },
    { seq: 4, usage: { usd: '6', inputTokens: 7 } },
  ]
  expect(parts(reports)).toEqual([
    { usd: '1' },
    { usd: '3' },
    { inputTokens: 5 },
    { usd: '2', inputTokens: 2 },
  ])
})

test('an agent that says less than before has begun to count anew', () => {
  expect(
    parts([
      { seq: 1, usage: { usd: '1' } },
      { seq: 2, usage: { usd: '0.25' } },
      { seq: 3, usage: { usd: '0.5' } },
    ]),
  ).toEqual([{ usd: '1' }, { usd: '0.25' }, { usd: '0.25' }])
})

test('another conversation is counted whole, also one that has the name of an earlier one', () => {
  expect(
    parts([
      { seq: 1, usage: { usd: '1' } },
      { seq: 2, usage: { usd: '3' }, of: 'another' },
      { seq: 3, usage: { usd: '5' }, of: 'another', attempt: 2 },
      { seq: 4, usage: { usd: '7' }, of: 'another', kind: 'run' },
    ]),
  ).toEqual([{ usd: '1' }, { usd: '3' }, { usd: '5' }, { usd: '7' }])
  expect(
    parts([
      { seq: 1, usage: { usd: '1' } },
      { seq: 4, usage: { usd: '3' }, of: 'another', kind: 'run' },
      { seq: 2, usage: { usd: '2' } },
      { seq: 3, usage: { usd: '9' }, of: 'third', kind: 'run' },
      { seq: 5, usage: { usd: '4' }, of: 'another' },
    ]),
  ).toEqual([{ usd: '1' }, { usd: '3' }, {}, { usd: '9' }, { usd: '1' }])
})

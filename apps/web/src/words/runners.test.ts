import { expect, test } from 'vitest'
import { lacksAgent, markOfRunner, versionWords, wordsOfRunner } from './runners.ts'

test.each([
  ['0.1.0', '0.1.9', undefined],
  ['0.1.0', undefined, undefined],
  ['development', '0.1.0', undefined],
  ['0.1.0', '0.2.0', expect.stringContaining('0.2.0')],
  ['2.0.0', '1.0.0', expect.stringContaining('2.0.0')],
])('a runner of %s with a service of %s', (runner, service, said) => {
  expect(versionWords(runner, service)).toEqual(said)
})

test('a runner that is here without an agent is no runner that takes launches', () => {
  expect(lacksAgent({ state: 'connected', agents: [], heldAgents: [] })).toBe(true)
  expect(wordsOfRunner({ state: 'connected', agents: [] })).toMatchObject({ word: 'no agent' })
  expect(wordsOfRunner({ state: 'connected', agents: ['claude'] }).word).toBe('here')
  expect(wordsOfRunner({ state: 'unavailable', agents: [] }).word).toBe('away')
  const held = { key: 'claude', reason: 'quota', until: '2026-11-26T12:00:00Z' } as const
  expect(lacksAgent({ state: 'connected', agents: [], heldAgents: [held] })).toBe(false)
})

test('a runner has a mark where another one is called as it is', () => {
  const [one, twin, other] = [
    { id: '0192-aaaa', label: 'lap' },
    { id: '0192-bbbb', label: 'lap' },
    { id: '0192-cccc', label: 'box' },
  ] as const
  const all = [one, twin, other]
  expect(all.map((runner) => markOfRunner(runner, all))).toEqual(['aaaa', 'bbbb', undefined])
  // a run may be of one that is listed no more
  expect(markOfRunner({ id: '0192-dddd', label: 'box' }, all)).toBe('dddd')
})

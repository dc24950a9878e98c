import { expect, test } from 'vitest'
import { lacksAgent, versionWords, wordsOfRunner } from './runners.ts'

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

import { describe, expect, test } from 'vitest'
import { limits } from '../data/contracts.values.ts'
import { byMeans, saidOpen } from './inbox.ts'

describe('who noted something down', () => {
  test.for([
    [{ source: 'web', tokenLabel: null }, 'you, in a browser'],
    [{ source: 'api', tokenLabel: 'laptop' }, 'you, with the token laptop'],
    [{ source: 'mcp', tokenLabel: 'Claude\u202E' }, 'an agent, with the token Claude⟨U+202E⟩'],
    [{ source: 'mcp', tokenLabel: null }, 'an agent'],
    [null, undefined],
  ] as const)('by %j is %s', ([means, said]) => {
    expect(byMeans(means)).toBe(said)
  })
})

test('how many are open is said as far as they are counted', () => {
  const most = limits.countedInboxItems
  expect([saidOpen(0), saidOpen(most - 1), saidOpen(most)]).toEqual([
    '0',
    `${most - 1}`,
    `${most}+`,
  ])
})

import { describe, expect, test } from 'vitest'
import { type OfferingRunner, whoIsAway, whySilent, whyUntaken } from './runs.ts'

const runner = (label: string, more: Partial<OfferingRunner> = {}): OfferingRunner => ({
  id: `id of ${label}`,
  label,
  state: 'connected',
  agents: ['claude'],
  ...more,
})
const away = { state: 'unavailable' } as const
const queued = { status: 'queued', onlyRunner: null, agent: 'claude' } as const

describe('a launch that no runner that is here can take', () => {
  test.each([
    ['nobody has its agent', [runner('lap', { agents: ['codex'] })], 'no runner offers claude'],
    [
      'who has it is away',
      [runner('vm', away)],
      'the runner vm is away, and no other offers claude',
    ],
    [
      'several that have it are away',
      [runner('vm', away), runner('box', away), runner('lap', { agents: [] })],
      'the runners vm, box are away, and no other offers claude',
    ],
  ])('says so where %s', (_where, runners, said) => {
    expect(whyUntaken(runners, queued)).toBe(said)
  })
})

describe('a run that a runner has', () => {
  const run = {
    status: 'launched',
    outcome: 'running',
    runnerId: 'id of vm',
    cancelRequestedAt: null,
  } as const
  const said = 'nothing is heard of the runner vm, which has it'
  test.each([
    ['its agent works', {}, said],
    ['its agent is about to start', { status: 'launching', outcome: null }, said],
    ['it waits for an answer', { outcome: 'parked' }, undefined],
    ['it is over', { outcome: 'delivered' }, undefined],
    ['it is being called off', { cancelRequestedAt: '2026-11-29T11:00:00Z' }, undefined],
    ['it is another one that is away', { runnerId: 'id of lap' }, undefined],
  ] as const)('is told to stand still while that is away and %s: %o', (_when, more, start) => {
    const why = whySilent([runner('vm', away), runner('lap')], { ...run, ...more })
    expect(why?.startsWith(said)).toBe(start && true)
  })
})

describe('a launch that a runner that is here could take, and none has', () => {
  const first = { kind: 'run', agent: 'claude' } as const
  const onwards = { kind: 'resume', agent: 'claude' } as const

  test('names the runners that are away', () => {
    expect(whoIsAway([runner('lap'), runner('vm', away)], first, undefined)).toBe(
      'the runner vm is away',
    )
    expect(whoIsAway([runner('lap')], first, undefined)).toBeUndefined()
    expect(whoIsAway(undefined, first, undefined)).toBeUndefined()
  })

  test('names the machine of the run that it goes on with', () => {
    const before = { runnerLabel: 'vm' }
    const lap = runner('lap')
    expect(whoIsAway([lap, runner('vm', away)], onwards, before)).toContain('its runner vm is away')
    expect(whoIsAway([lap, runner('vm'), runner('old', away)], onwards, before)).toBeUndefined()
  })
})

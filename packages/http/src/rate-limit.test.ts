import { byDevice, byLease, byLeaseHeader, byRunner, bySession } from '@svc/contracts/counting'
import { isServiceError } from '@svc/contracts/errors'
import { describe, expect, test } from 'vitest'
import { type LimitedCall, type RateLimits, createRateLimiter } from './rate-limit.ts'
import { unlimited } from './testing/unlimited.ts'

const limits = { ...unlimited, reads: 6, writes: 3, agentCalls: 2, claims: 1, keyedCalls: 12 }
const alice = { tokenId: 'a', workspaceId: 'here' }

function limiter(changes: Partial<RateLimits> = {}) {
  let nowMs = 0
  const { take } = createRateLimiter({ ...limits, ...changes }, { nowMs: () => nowMs })
  return {
    pass: (seconds: number) => (nowMs += seconds * 1000),
    /** How many of so many calls got through. */
    tryTimes: (times: number, call: Partial<LimitedCall>) => {
      let passed = 0
      for (let count = 0; count < times; count += 1) {
        try {
          take({ ...alice, isRead: false, ...call })
          passed += 1
        } catch (error) {
          if (!isServiceError(error) || error.code !== 'rate_limited') throw error
        }
      }
      return passed
    },
    take,
  }
}

describe('the rate limit', () => {
  test('counts reads and writes of a token apart, and tokens apart', () => {
    const { tryTimes } = limiter()
    expect(tryTimes(10, { isRead: true })).toBe(6)
    expect(tryTimes(10, {})).toBe(3)
    expect(tryTimes(10, { tokenId: 'b' })).toBe(3)
  })

  test('counts sessions, leases and runners each for itself and not against the token', () => {
    const { tryTimes } = limiter()
    const calls = [
      { counts: bySession, input: { sessionKey: 's1' } },
      { counts: bySession, input: { sessionKey: 's2' } },
      { counts: byLease, input: { leaseToken: 'l' } },
      { counts: byLeaseHeader, input: { 'x-svc-lease': 'm' } },
      { counts: byRunner, input: { instanceId: 'r', leases: [] } },
      { counts: byRunner, input: { instanceId: 'r', leases: [{ leaseToken: 'n' }] } },
    ]
    expect(calls.map((call) => tryTimes(5, call))).toEqual([2, 2, 2, 2, 2, 2])
    expect(tryTimes(5, {})).toBe(3)
  })

  test('counts the calls of a workspace together, but for those with a lease', () => {
    const { tryTimes } = limiter({ workspaceCalls: 4 })
    const leased = [
      { counts: byLease, input: { leaseToken: 'l' } },
      { counts: byLeaseHeader, input: { 'x-svc-lease': 'm' } },
      { counts: byRunner, input: { instanceId: 'r', leases: [{ leaseToken: 'n' }] } },
    ]
    expect(leased.map((call) => tryTimes(5, call))).toEqual([2, 2, 2])
    expect(tryTimes(2, { counts: bySession, input: { sessionKey: 's' } })).toBe(2)
    expect(tryTimes(1, { counts: byRunner, input: { instanceId: 'r', leases: [] } })).toBe(1)
    expect(tryTimes(1, { counts: byDevice, input: { device: { fingerprint: 'd' } } })).toBe(1)
    expect(tryTimes(1, { tokenId: 'b' })).toBe(0)
    expect(leased.map((call) => tryTimes(1, { ...call, tokenId: 'b' }))).toEqual([1, 1, 1])
    expect(tryTimes(1, { tokenId: 'c', workspaceId: 'elsewhere' })).toBe(1)
  })

  test('has the workspace pay for no call that its token may not make', () => {
    const { tryTimes } = limiter({ workspaceCalls: 5 })
    expect(tryTimes(100, {})).toBe(3)
    expect(tryTimes(5, { tokenId: 'b' })).toBe(2)
  })

  test('lets all through where 0 is given', () => {
    const { tryTimes } = limiter({ reads: 0, writes: 0, agentCalls: 0, keyedCalls: 0 })
    const calls = [{ isRead: true }, {}, { counts: bySession, input: { sessionKey: 's' } }]
    expect(calls.map((call) => tryTimes(1_000, call))).toEqual([1_000, 1_000, 1_000])
  })

  test('remembers so many callers, those of the last calls', () => {
    const { take } = createRateLimiter({ ...limits, writes: 1 }, { nowMs: () => 0, most: 2 })
    const write = (tokenId: string) => () => take({ ...alice, tokenId, isRead: false })
    write('a')()
    write('b')()
    write('c')()
    expect(write('c')).toThrow('Too many calls')
    expect(write('b')).toThrow('Too many calls')
    expect(write('a')).not.toThrow()
  })

  test('counts claims by device', () => {
    const { tryTimes } = limiter()
    expect(tryTimes(5, { counts: byDevice, input: { device: { fingerprint: 'one' } } })).toBe(1)
    expect(tryTimes(5, { counts: byDevice, input: { device: { fingerprint: 'two' } } })).toBe(1)
  })

  test('gives keys of a caller no more than the ceiling of the token', () => {
    const { tryTimes } = limiter()
    const keys = Array.from({ length: 20 }, (_, index) => ({ sessionKey: `s${index}` }))
    const passed = keys.map((input) => tryTimes(1, { counts: bySession, input }))
    expect(passed.filter((times) => times === 1)).toHaveLength(12)
    expect(tryTimes(5, { tokenId: 'b', counts: bySession, input: { sessionKey: 's1' } })).toBe(2)
    expect(tryTimes(5, {})).toBe(3)
  })

  test('does not forget the calls of a token for any number of keys', () => {
    const { take } = createRateLimiter({ ...limits, keyedCalls: 0 }, { nowMs: () => 0, most: 100 })
    const write = () => take({ ...alice, isRead: false })
    for (let times = 0; times < 3; times += 1) write()
    for (let index = 0; index < 200; index += 1) {
      take({ ...alice, isRead: false, counts: bySession, input: { sessionKey: `s${index}` } })
    }
    expect(write).toThrow('Too many calls')
  })

  test.each([{ toString: 1 }, 'x'.repeat(201)])(
    'counts against the token what is no key',
    (key) => {
      const { tryTimes } = limiter()
      const calls = [
        { counts: byDevice, input: { device: { fingerprint: key } } },
        { counts: bySession, input: { sessionKey: key } },
        { counts: byDevice, input: { device: null } },
      ]
      expect(calls.map((call) => tryTimes(1, call))).toEqual([1, 1, 1])
      expect(tryTimes(1, {})).toBe(0)
    },
  )

  test('lets through again what the time gives back', () => {
    const { tryTimes, pass } = limiter()
    tryTimes(3, {})
    pass(19)
    expect(tryTimes(1, {})).toBe(0)
    pass(1)
    expect(tryTimes(2, {})).toBe(1)
    pass(3600)
    expect(tryTimes(10, {})).toBe(3)
  })

  test('says how long to wait', () => {
    const { tryTimes, take } = limiter()
    tryTimes(3, {})
    expect(() => take({ ...alice, isRead: false })).toThrow(
      expect.objectContaining({ code: 'rate_limited', details: { retryAfterSeconds: 20 } }),
    )
  })
})

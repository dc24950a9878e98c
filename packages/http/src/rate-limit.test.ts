import { isServiceError } from '@svc/contracts/errors'
import { describe, expect, test } from 'vitest'
import { type LimitedCall, createRateLimiter } from './rate-limit.ts'

const limits = { reads: 6, writes: 3, agentCalls: 2, claims: 1 }

function limiter() {
  let nowMs = 0
  const { take } = createRateLimiter(limits, () => nowMs)
  return {
    pass: (seconds: number) => (nowMs += seconds * 1000),
    /** How many of so many calls got through. */
    tryTimes: (times: number, call: Partial<LimitedCall>) => {
      let passed = 0
      for (let count = 0; count < times; count += 1) {
        try {
          take({ tokenId: 'a', isRead: false, ...call })
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
    const inputs = [
      { sessionKey: 's1' },
      { sessionKey: 's2' },
      { leaseToken: 'l' },
      { 'x-svc-lease': 'm' },
      { instanceId: 'r' },
      { instanceId: 'r', leases: [{ leaseToken: 'n' }] },
    ]
    expect(inputs.map((input) => tryTimes(5, { input }))).toEqual([2, 2, 2, 2, 2, 2])
    expect(tryTimes(5, {})).toBe(3)
  })

  test('counts claims by device', () => {
    const { tryTimes } = limiter()
    expect(tryTimes(5, { input: { device: { fingerprint: 'one' } } })).toBe(1)
    expect(tryTimes(5, { input: { device: { fingerprint: 'two' } } })).toBe(1)
  })

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
    expect(() => take({ tokenId: 'a', isRead: false })).toThrow(
      expect.objectContaining({ code: 'rate_limited', details: { retryAfterSeconds: 20 } }),
    )
  })
})

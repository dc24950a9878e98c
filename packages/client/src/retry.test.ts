import { describe, expect, test } from 'vitest'
import { sleep, waitMs } from './retry.ts'

const retry = { attempts: 5, firstMs: 200, mostMs: 5_000 }
const many = (failures: number, retryAfter: string | null) =>
  Array.from({ length: 200 }, () => waitMs(failures, retry, retryAfter))

describe('the wait before another attempt', () => {
  test.each([
    [1, 200],
    [3, 800],
    [10, 5_000],
  ])('after %i failures is at most %i ms', (failures, most) => {
    expect(Math.max(...many(failures, null))).toBeLessThanOrEqual(most)
  })

  test('is never shorter than the service asked for', () => {
    expect(Math.min(...many(1, '7'))).toBeGreaterThanOrEqual(7_000)
  })

  test('does not believe a service that asks for hours, nor one that asks in words', () => {
    expect(Math.max(...many(1, '86400'))).toBeLessThanOrEqual(60_200)
    expect(Math.max(...many(1, 'Wed, 21 Oct 2026 07:28:00 GMT'))).toBeLessThanOrEqual(200)
  })
})

test('a sleep ends with the reason of the signal that aborts it', async () => {
  const caller = new AbortController()
  const sleeping = sleep(60_000, caller.signal)
  caller.abort(new Error('never mind'))
  await expect(sleeping).rejects.toThrow('never mind')
})

import { describe, expect, test } from 'vitest'
import { mayBeSent, nextLookMs } from './follow.ts'

const now = Date.parse('2026-11-01T12:00:00Z')
const at = (seconds: number) => new Date(now + seconds * 1000).toISOString()

describe('a log is followed', () => {
  test.each([
    ['while something of it is sent', [-60, 7200], 1_500],
    ['when something of it is due', [7200, 30], 31_500],
  ])('%s', (_when, seconds, wait) => {
    const waiting = seconds.map((one) => ({ state: 'pending', nextAttemptAt: at(one) }) as const)
    expect(nextLookMs(waiting, now)).toBe(wait)
  })

  test('more and more seldom where nothing becomes of it', () => {
    const waiting = [{ state: 'pending', nextAttemptAt: at(-60) } as const]
    const waits = [0, 1, 2, 5, 50].map((looks) => nextLookMs(waiting, now, looks))
    expect(waits).toEqual([1_500, 3_000, 6_000, 48_000, 48_000])
  })

  test('and not where nothing of it is sent by itself', () => {
    expect(nextLookMs([{ state: 'pending', nextAttemptAt: null }], now)).toBe(1_500)
    expect(nextLookMs([{ state: 'held', nextAttemptAt: null }], now)).toBeUndefined()
    expect(nextLookMs([], now)).toBeUndefined()
  })

  test('where something happens that it may be told of', () => {
    const change = { entity: 'mission', projectId: 'web' } as const
    expect(mayBeSent({ projectId: null }, change)).toBe(true)
    expect(mayBeSent({ projectId: 'web' }, change)).toBe(true)
    expect(mayBeSent({ projectId: 'api' }, change)).toBe(false)
    expect(mayBeSent({ projectId: null }, { entity: 'runner', projectId: null })).toBe(false)
  })
})

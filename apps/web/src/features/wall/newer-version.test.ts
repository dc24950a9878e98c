import { describe, expect, test } from 'vitest'
import { loadAnewFor } from './newer-version.ts'

const hour = 60 * 60 * 1000
const first = { ours: '0.1.0', served: '0.2.0', kept: null, now: 10 * hour }

describe('a page of another version than its service is loaded anew', () => {
  test('once for it, also where that brings the same page', () => {
    const kept = loadAnewFor(first)
    expect(JSON.parse(kept ?? '')).toEqual({ '0.2.0': 10 * hour })
    expect(loadAnewFor({ ...first, kept: kept ?? null, now: 10.9 * hour })).toBeUndefined()
  })

  test('once for each of several that take turns, and once more an hour later', () => {
    const one = loadAnewFor(first) ?? null
    const other = { ...first, served: '0.3.0', kept: one, now: 10.1 * hour }
    const both = loadAnewFor(other) ?? null
    expect(Object.keys(JSON.parse(both ?? ''))).toEqual(['0.2.0', '0.3.0'])
    for (const served of ['0.2.0', '0.3.0']) {
      expect(loadAnewFor({ ...first, served, kept: both, now: 10.2 * hour })).toBeUndefined()
    }
    const later = loadAnewFor({ ...first, kept: both, now: 11.05 * hour })
    expect(JSON.parse(later ?? '')).toEqual({ '0.3.0': 10.1 * hour, '0.2.0': 11.05 * hour })
  })

  test('and not where it is of the same', () => {
    expect(loadAnewFor({ ...first, served: '0.1.0' })).toBeUndefined()
  })

  test.each(['no JSON', '[]', 'null', '{"0.2.0":"soon"}'])('whatever is remembered: %s', (kept) => {
    expect(loadAnewFor({ ...first, kept })).toBeDefined()
  })
})

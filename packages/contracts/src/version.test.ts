import { describe, expect, test } from 'vitest'
import { fitTogether, isOlder, oldestClient, version } from './version.ts'

describe('versions', () => {
  test.each([
    ['1.4.0', '1.4.9', true],
    ['1.4.0', '1.5.0', false],
    ['1.4.0', '2.4.0', false],
    ['1.10.0', '1.1.0', false],
    ['1.4.0', 'yesterday', true],
    ['1.4.0', '', true],
  ])('%s and %s are made for each other: %s', (one, other, fits) => {
    expect(fitTogether(one, other)).toBe(fits)
    expect(fitTogether(other, one)).toBe(fits)
  })

  test.each([
    ['1.4.0', '1.4.0', false],
    ['1.4.0', '1.4.1', true],
    ['1.4.9', '1.5.0', true],
    ['1.9.0', '1.10.0', true],
    ['1.10.0', '2.0.0', true],
    ['2.0.0', '1.10.0', false],
    ['yesterday', '1.0.0', false],
    ['1.0.0-rc.1', '1.0.0', false],
  ])('%s is older than %s: %s', (one, other, older) => {
    expect(isOlder(one, other)).toBe(older)
  })

  test('that are answered include our own', () => {
    expect(isOlder(version, oldestClient)).toBe(false)
  })
})

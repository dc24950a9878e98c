import { describe, expect, test } from 'vitest'
import { collectWarnings } from './warnings.ts'

const collected = (texts: string[]) => {
  const warnings = collectWarnings()
  for (const text of texts) warnings.add(text)
  return warnings.list()
}

describe('warnings', () => {
  test('keep their order', () => {
    expect(collected([])).toEqual([])
    expect(collected(['b', 'a', 'b'])).toEqual(['b', 'a', 'b'])
  })

  test('are 20 at most; the last one counts the rest', () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => `w${index}`)
    expect(collected(many(19))).toEqual(many(19))
    const listed = collected(many(500))
    expect(listed).toHaveLength(20)
    expect(listed.at(-1)).toBe('… and 481 more')
  })

  test('are 300 characters at most each', () => {
    const [fits, cut] = collected(['x'.repeat(300), 'x'.repeat(301)])
    expect(fits).toBe('x'.repeat(300))
    expect(cut).toBe(`${'x'.repeat(299)}…`)
  })

  test('listed once change no more', () => {
    const warnings = collectWarnings()
    warnings.add('a')
    const listed = warnings.list()
    warnings.add('b')
    expect(listed).toEqual(['a'])
  })
})

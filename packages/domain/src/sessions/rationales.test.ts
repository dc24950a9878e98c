import { verifies } from '@svc/testing/verifies'
import { describe, expect, test } from 'vitest'
import { collectWarnings } from '../common/warnings.ts'
import { readRationales } from './rationales.ts'

const rationale = (filePath: string, why = 'because') => ({
  filePath,
  label: 'l',
  summary: 's',
  why,
  impact: 'i',
})

function read(items: unknown) {
  const warnings = collectWarnings()
  return { kept: readRationales(items, warnings), warnings: warnings.list() }
}

describe('rationales', () => {
  test('are kept in order', () => {
    const items = [rationale('b.ts'), rationale('a.ts')]
    expect(read(items)).toEqual({ kept: items, warnings: [] })
  })

  test(verifies('rationale.unknown-item-key', 'with an unknown key are dropped alone'), () => {
    const { kept, warnings } = read([
      rationale('a.ts'),
      { ...rationale('b.ts'), author: 'x' },
      rationale('c.ts'),
    ])
    expect(kept.map((one) => one.filePath)).toEqual(['a.ts', 'c.ts'])
    expect(warnings).toEqual([expect.stringContaining('changeRationales[1] dropped')])
  })

  test(
    verifies('rationale.unknown-hunk-key', 'with an unknown key in a hunk are dropped alone'),
    () => {
      const hunks = [{ header: '@@ -1 +1 @@', body: '+secret' }]
      const { kept, warnings } = read([{ ...rationale('a.ts'), hunks }, rationale('b.ts')])
      expect(kept.map((one) => one.filePath)).toEqual(['b.ts'])
      expect(warnings).toHaveLength(1)
    },
  )

  test(verifies('rationale.last-valid-wins', 'of one path: the last valid one wins'), () => {
    const items = [
      rationale('a.ts', 'A'),
      rationale('a.ts', 'B'),
      { ...rationale('a.ts', 'C'), extra: 1 },
    ]
    expect(read(items).kept).toEqual([rationale('a.ts', 'B')])
  })

  test(
    verifies('rationale.bounded-warning', 'that are dropped leave short warnings, and few of them'),
    () => {
      const items = Array.from({ length: 300 }, () => ({
        ...rationale('a.ts'),
        ['k'.repeat(50_000)]: 1,
      }))
      const { warnings } = read(items)
      expect(warnings).toHaveLength(20)
      expect(warnings.every((one) => one.length <= 300)).toBe(true)
    },
  )

  test('of more than 500 paths: the first 500 count, and the rest is one warning', () => {
    const items = Array.from({ length: 700 }, (_, index) => rationale(`f${index}.ts`))
    const { kept, warnings } = read([...items, rationale('f0.ts', 'better')])
    expect(kept).toEqual([rationale('f0.ts', 'better'), ...items.slice(1, 500)])
    expect(warnings).toEqual([expect.stringContaining('200 changeRationales dropped')])
  })

  test('with more hunks, or longer texts, than are kept are cut', () => {
    const hunks = Array.from({ length: 21 }, (_, index) => ({ header: `@@ -${index} +1 @@` }))
    const long = { ...rationale('a.ts', 'y'.repeat(2001)), hunks: [{ header: '@'.repeat(201) }] }
    const { kept, warnings } = read([{ ...rationale('b.ts'), hunks }, long])
    expect(kept).toEqual([
      { ...rationale('b.ts'), hunks: hunks.slice(0, 20) },
      { ...rationale('a.ts', `${'y'.repeat(1999)}…`), hunks: [{ header: `${'@'.repeat(199)}…` }] },
    ])
    expect(warnings).toEqual([
      'changeRationales[0].hunks is cut: give at most 20',
      'changeRationales[1].why is cut: give at most 2000 characters',
      'changeRationales[1].hunks[0].header is cut: give at most 200 characters',
    ])
  })

  test('with an unknown key in a hunk beyond those that are kept lose that hunk alone', () => {
    const hunks = Array.from({ length: 20 }, () => ({ header: '@@' }))
    const { kept } = read([{ ...rationale('a.ts'), hunks: [...hunks, { header: '@@', body: 1 }] }])
    expect(kept).toEqual([{ ...rationale('a.ts'), hunks }])
  })

  test.each([null, 'text', 3, { constructor: 1 }])('%j is no list and one warning', (given) => {
    expect(read(given)).toEqual({ kept: [], warnings: [expect.stringContaining('give a list')] })
  })

  test('leave warnings that can be stored', () => {
    const { warnings } = read([{ ...rationale('a.ts'), 'k\0\ud800': 1 }])
    expect(warnings).toHaveLength(1)
    expect(warnings[0]?.isWellFormed() && !warnings[0].includes('\0')).toBe(true)
  })

  test.each([null, 3, 'a.ts', [], {}, { filePath: '../up' }])(
    '%j is no rationale and only a warning',
    (item) => {
      const { kept, warnings } = read([item, rationale('b.ts')])
      expect(kept).toEqual([rationale('b.ts')])
      expect(warnings).toHaveLength(1)
    },
  )
})

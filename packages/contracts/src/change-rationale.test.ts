import { describe, expect, test } from 'vitest'
import {
  CanonicalPath,
  ChangeRationale,
  ChangeRationales,
  ChangedFile,
} from './change-rationale.ts'

const rationale = {
  filePath: 'src/a.ts',
  label: 'Parser',
  summary: 'Splits the line',
  why: 'It was read twice',
  impact: 'None outside',
}

describe('a canonical path', () => {
  test.each(['a.ts', 'src/a.ts', 'web:src/a.ts', '.env', 'a b/ü.ts', '...', 'src/a..b'])(
    '%s is one',
    (path) => {
      expect(CanonicalPath.safeParse(path).success).toBe(true)
    },
  )

  test.each([
    '',
    '/etc/passwd',
    './a.ts',
    'src//a.ts',
    'src/',
    '../a.ts',
    'src/../../a.ts',
    'src/./a.ts',
    String.raw`src\a.ts`,
    'a\u0000b',
    'a\nb',
    'web:',
    'web:/etc/passwd',
    'web:../a.ts',
    'x'.repeat(1025),
  ])('%j is none', (path) => {
    expect(CanonicalPath.safeParse(path).success).toBe(false)
    expect(ChangeRationale.safeParse({ ...rationale, filePath: path }).success).toBe(false)
  })
})

describe('a rationale', () => {
  test('has five texts, each of them required', () => {
    expect(ChangeRationale.parse(rationale)).toEqual(rationale)
    for (const key of Object.keys(rationale)) {
      expect(ChangeRationale.safeParse({ ...rationale, [key]: undefined }).success).toBe(false)
    }
  })

  test('may add hunks of headers, 20 at most and 200 characters each', () => {
    const hunks = (count: number, length = 5) =>
      ChangeRationale.safeParse({
        ...rationale,
        hunks: Array.from({ length: count }, () => ({ header: '@'.repeat(length) })),
      }).success
    expect([hunks(0), hunks(20), hunks(21), hunks(1, 200), hunks(1, 201)]).toEqual([
      true,
      true,
      false,
      true,
      false,
    ])
  })

  test('with an unknown key, of its own or in a hunk, is none', () => {
    expect(ChangeRationale.safeParse({ ...rationale, author: 'x' }).success).toBe(false)
    const hunks = [{ header: '@@ -1 +1 @@', body: '+x' }]
    expect(ChangeRationale.safeParse({ ...rationale, hunks }).success).toBe(false)
  })

  test('that is bad refuses no call, nor does anything in its place', () => {
    const given = [null, 3, { filePath: '/' }, { ...rationale, hunks: [{ header: '@@ -1 +1 @@' }] }]
    expect(ChangeRationales.parse(given)).toEqual(given)
    for (const other of [null, 'text', { constructor: 1 }, Array(501).fill(rationale)]) {
      expect(ChangeRationales.parse(other)).toEqual(other)
    }
    const deep: unknown = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000))
    expect(ChangeRationales.parse(deep)).toEqual([[[[null]]]])
  })

  test('of text that cannot be stored is none', () => {
    for (const why of ['a\0b', 'a\ud800b']) {
      expect(ChangeRationale.safeParse({ ...rationale, why }).success).toBe(false)
    }
    expect(ChangeRationale.safeParse({ ...rationale, filePath: 'a\ud800' }).success).toBe(false)
  })
})

test.each(['added', 'modified', 'deleted', 'renamed', 'copied', 'untracked'])(
  'a changed file was %s',
  (vcsStatus) => {
    expect(ChangedFile.safeParse({ filePath: 'a.ts', vcsStatus }).success).toBe(true)
  },
)

test('a changed file has no other status and no other key', () => {
  expect(ChangedFile.safeParse({ filePath: 'a.ts', vcsStatus: 'M' }).success).toBe(false)
  expect(ChangedFile.safeParse({ filePath: 'a.ts', vcsStatus: 'added', size: 1 }).success).toBe(
    false,
  )
})

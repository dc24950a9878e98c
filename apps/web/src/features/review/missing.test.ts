import { expect, test } from 'vitest'
import { commandFor, whyNoLines } from './missing.ts'
import { filesOf } from './patch.ts'

const kept = { additions: 3, deletions: 0, patchBytes: 40 }
const why = (patch: string, file = kept) => whyNoLines(file, filesOf(patch))

test('of a file without lines the reason is said, and whether there are any elsewhere', () => {
  const header = 'diff --git a/x b/x\n'
  expect(why(`${header}Binary files a/x and b/x differ\n`)).toEqual({
    sentence: 'It is no text, so it has no lines to show.',
    isElsewhere: false,
  })
  expect(why(`${header}new file mode 100644\n`).sentence).toBe('It is empty.')
  expect(why(`${header}old mode 100644\nnew mode 100755\n`).sentence).toBe(
    'None of its lines has changed.',
  )
  expect(why('')).toEqual({
    sentence: expect.stringContaining('they are too many'),
    isElsewhere: true,
  })
  // of what is no text Git counts no lines
  const binary = { additions: null, deletions: null, patchBytes: null }
  expect(whyNoLines(binary, []).isElsewhere).toBe(false)
  expect(whyNoLines({ ...kept, additions: 0 }, []).sentence).toBe('Its lines are not kept here.')
  expect(whyNoLines(undefined, [])).toMatchObject({ isElsewhere: true })
})

test('the command is about the file where the report says between what it changed', () => {
  const report = { baseSha: 'a'.repeat(40), headSha: 'b'.repeat(40) }
  const file = { path: "it's.ts", position: 7 }
  expect(commandFor(file, report, 'web:12')).toBe(
    `git diff ${'a'.repeat(12)}..${'b'.repeat(12)} -- 'it'\\''s.ts'`,
  )
  const review = 'svc review web:12'
  expect(commandFor({ ...file, position: undefined }, report, 'web:12')).toBe(review)
  expect(commandFor(file, { ...report, headSha: '' }, 'web:12')).toBe(review)
  expect(commandFor(file, undefined, 'web:12')).toBe(review)
})

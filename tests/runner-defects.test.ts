import { describe, expect, test } from 'vitest'
import { judgeRun } from './soak/run-runner-defect.ts'

describe('a planted mistake', () => {
  test('is caught by a test that fails and says why', () => {
    const says = "AssertionError: expected 'a' to be 'b'"
    expect(judgeRun(1, says)).toEqual({ isCaught: true, says })
  })

  test('is not caught by a test that passes', () => {
    expect(judgeRun(0, '')).toMatchObject({ isCaught: false })
  })

  test.each(['Error: Test timed out in 120000ms.', 'Error: Hook timed out in 30000ms.'])(
    'is not caught by a test that runs out of time: %s',
    (says) => {
      expect(judgeRun(1, says)).toMatchObject({ isCaught: false })
    },
  )
})

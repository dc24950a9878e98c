import { limits } from '@svc/contracts/limits'
import { describe, expect, test } from 'vitest'
import { withinLimit } from './revision.ts'

describe('what a refusal shows of what stands now', () => {
  test('is whole as long as it is within the limit', () => {
    const current = { mission: { title: 'Dark mode', revision: 3 }, objectiveIds: ['a', 'b'] }
    expect(withinLimit(current)).toEqual({ current })
  })

  test('has its longest texts cut, and says which', () => {
    const objective = { title: 'T', instruction: 'x'.repeat(limits.mismatchBytes), note: 'kept' }
    const { current, cut } = withinLimit({ objective })
    expect(cut).toEqual(['objective.instruction'])
    expect(Buffer.byteLength(JSON.stringify(current))).toBeLessThanOrEqual(limits.mismatchBytes)
    expect(current).toMatchObject({ objective: { title: 'T', note: 'kept' } })
    expect(JSON.stringify(current).length).toBeGreaterThan(limits.mismatchBytes / 2)
  })

  test.each(['ä', '\u{1F600}', '"', '\n', 'x'])(
    'is within the limit for texts of %j',
    (character) => {
      const artifact = { contentText: character.repeat(100_000), label: character.repeat(100) }
      const { current, cut } = withinLimit({ artifact }, 10_000)
      expect(cut).toEqual(['artifact.contentText'])
      expect(Buffer.byteLength(JSON.stringify(current))).toBeLessThanOrEqual(10_000)
      expect(JSON.stringify(current)).not.toContain('\\ud83d')
    },
  )

  test('is left out where no text is what makes it large', () => {
    const value = { list: Array.from({ length: 50_000 }, (_, index) => index) }
    expect(withinLimit({ entry: { key: 'k', value } })).toEqual({ current: null })
  })

  test('is nothing where nothing stands', () => {
    expect(withinLimit({ entry: null })).toEqual({ current: { entry: null } })
  })
})

import { createTestDatabase } from '@svc/testing/database'
import { expect, test } from 'vitest'
import { defects } from './defects.ts'
import { isCaught, runDefect } from './run-defect.ts'

/** A test of each of these mistakes; `npm run soak` takes them all. */
export function testDefects(names: readonly string[]): void {
  test.each(defects.filter(({ name }) => names.includes(name)))(
    'the model notices a mistake in the product: $name',
    { timeout: 300_000 },
    async (defect) => {
      await using database = await createTestDatabase()
      const databaseUrl = database.connectionString
      const result = await runDefect({ defect, databaseUrl, seed: 1, sequences: 100, steps: 30 })
      expect({ ...result, caught: isCaught(defect, result) }).toMatchObject({ caught: true })
    },
  )
}

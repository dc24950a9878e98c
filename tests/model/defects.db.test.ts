import { createTestDatabase } from '@svc/testing/database'
import { expect, test } from 'vitest'
import { runnerDefects } from '../soak/runner-defects.ts'
import { defects } from './defects.ts'
import { isCaught, requireFits, runDefect } from './run-defect.ts'

test('every mistake has its one place in the product', async () => {
  const all = [...defects, ...runnerDefects]
  await expect(Promise.all(all.map(requireFits))).resolves.toHaveLength(all.length)
})

/** The others are left to the larger tests and to the soak test. */
const mistake = 'position off by one'

test.each(defects.filter(({ name }) => name === mistake))(
  'the model notices a mistake in the product: $name',
  { timeout: 300_000 },
  async (defect) => {
    await using database = await createTestDatabase()
    const databaseUrl = database.connectionString
    const result = await runDefect({ defect, databaseUrl, seed: 1, sequences: 100, steps: 30 })
    expect({ ...result, caught: isCaught(defect, result) }).toMatchObject({ caught: true })
  },
)

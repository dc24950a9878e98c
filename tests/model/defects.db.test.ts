import { createTestDatabase } from '@svc/testing/database'
import { expect, test } from 'vitest'
import { runnerDefects } from '../hunt/runner-defects.ts'
import { defects } from './defects.ts'
import { isCaught, requireFits, runDefect } from './run-defect.ts'

test('every mistake has its one place in the product', async () => {
  const all = [...defects, ...runnerDefects]
  await expect(Promise.all(all.map(requireFits))).resolves.toHaveLength(all.length)
})

/** The others are the hunt's. */
const few = ['no SKIP LOCKED', 'position off by one', 'an attach leaves nothing to start']

test.each(defects.filter(({ name }) => few.includes(name)))(
  'the model notices a mistake in the product: $name',
  { timeout: 300_000 },
  async (defect) => {
    await using database = await createTestDatabase()
    const databaseUrl = database.connectionString
    const sought = await runDefect({ defect, databaseUrl, seed: 1, sequences: 100, steps: 30 })
    expect({ ...sought, caught: isCaught(defect, sought) }).toMatchObject({ caught: true })
  },
)

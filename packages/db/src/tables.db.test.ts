import { expect, test } from 'vitest'
import { renderTables } from '../scripts/render-tables.ts'
import { migrateSchema } from './migrate-schema.ts'
import { useDatabases } from './testing/databases.ts'

const { emptyDatabase } = useDatabases()

/** `npm run tables` is this test, which then writes what it finds. */
test('tables.ts says what the migrated schema says', async () => {
  const url = await emptyDatabase()
  await migrateSchema(url)
  await expect(await renderTables(url)).toMatchFileSnapshot('./tables.ts')
})

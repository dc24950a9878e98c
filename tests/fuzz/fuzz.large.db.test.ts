import { createTestDatabase } from '@svc/testing/database'
import { expect, test } from 'vitest'
import { fuzz } from './fuzz.ts'

const requests = 2000

test('whatever is sent, the answer comes, is one that is written down, and is no failure', async () => {
  await using database = await createTestDatabase()
  const found = await fuzz({ databaseUrl: database.connectionString, seed: 17, requests })
  expect(found.violations).toEqual([])
  expect(found.requests).toBe(requests)
})

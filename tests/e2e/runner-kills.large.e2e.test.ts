import { createTestDatabase } from '@svc/testing/database'
import { expect, test } from 'vitest'
import { soakRunner } from '../soak/runner.ts'

test.for([
  { daemons: 1, requests: 2 },
  { daemons: 3, requests: 6 },
])(
  'daemons, supervisors, agents and a service that are killed and paused deliver every objective once: $requests by $daemons',
  { timeout: 600_000 },
  async (size) => {
    await using database = await createTestDatabase()
    const { kills, pauses, violations } = await soakRunner({
      databaseUrl: database.connectionString,
      ...size,
      seed: 17,
      say: () => undefined,
    })
    expect(violations).toEqual([])
    const disturbed = [...Object.values(kills), ...Object.values(pauses)]
    expect(disturbed.some((times) => times > 0)).toBe(true)
  },
)

import { createTestDatabase } from '@svc/testing/database'
import { verifies } from '@svc/testing/verifies'
import { expect, test } from 'vitest'
import { soakWebhooks } from '../soak/webhooks.ts'

/** Two dispatchers are killed and paused, at moments that the seed gives, until so many deliveries are made. */
test(
  verifies(
    'webhook.at-least-once',
    'two dispatchers that are killed and paused lose no delivery, and repeat one only with the same id and body',
  ),
  async () => {
    await using database = await createTestDatabase()
    const found = await soakWebhooks({
      databaseUrl: database.connectionString,
      deliveries: 400,
      seed: 11,
      calmMs: 2_000,
      say: () => undefined,
    })
    expect(found).toMatchObject({ lost: 0, otherBodies: 0, broken: 0, faulty: 0 })
    expect(found.kills + found.pauses).toBeGreaterThan(0)
  },
)

import { createTestDatabase } from '@svc/testing/database'
import { expect, test } from 'vitest'
import { huntWebhooks } from '../hunt/webhooks.ts'

/** Two dispatchers are killed and paused, at moments that the seed gives, until so many deliveries are made. */
export function losesNoDelivery(title: string, { deliveries }: { deliveries: number }): void {
  test(title, async () => {
    await using database = await createTestDatabase()
    const found = await huntWebhooks({
      databaseUrl: database.connectionString,
      deliveries,
      seed: 11,
      calmMs: 500,
      say: () => undefined,
    })
    expect(found).toMatchObject({ lost: 0, otherBodies: 0, broken: 0, faulty: 0 })
    expect(found.kills + found.pauses).toBeGreaterThan(0)
  })
}

import { openDatabase } from '@svc/db/database'
import { migrateSchema } from '@svc/db/migrate-schema'
import { migrateJobs } from '@svc/domain/jobs/jobs'
import { parseKeyRing } from '@svc/domain/common/key-ring'
import { sealCanary } from '@svc/domain/ready'

/**
 * Brings the schema, the job queues and the key canary to this version. Sent twice, or by several at once, it does its
 * work once. Answers the migrations that were new.
 */
export async function migrate(config: {
  databaseUrl: string
  secretKeys: string
}): Promise<string[]> {
  const applied = await migrateSchema(config.databaseUrl)
  await migrateJobs(config.databaseUrl)
  await plantCanary(config)
  return applied
}

/** The first key ring that meets a database seals its canary; another ring is recognized by it from then on. */
async function plantCanary(config: { databaseUrl: string; secretKeys: string }): Promise<void> {
  const keys = parseKeyRing(config.secretKeys)
  const db = openDatabase({ url: config.databaseUrl, poolSize: 1, onError: () => undefined })
  try {
    await db
      .insertInto('key_canary')
      .values({ sealed: sealCanary(keys) })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  } finally {
    await db.destroy()
  }
}

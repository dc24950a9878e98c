import type { Database, Tx } from '@svc/db/database'
import { PgBoss, fromKysely } from 'pg-boss'
import type { DomainLog } from './domain.ts'

/** The only module that knows pg-boss. Job data is ids; the truth stands in our own rows. */
export const queues = {
  webhookEvent: 'webhook.event',
} as const
export type QueueName = (typeof queues)[keyof typeof queues]

const schema = 'pgboss'

export interface Jobs extends AsyncDisposable {
  /** Written in the caller's transaction: there after its commit, gone with its rollback. An id is used once. */
  insert(tx: Tx, queue: QueueName, job: { id: string; data: object }): Promise<void>
}

export async function openJobs(db: Database, log: DomainLog): Promise<Jobs> {
  const boss = new PgBoss({
    db: fromKysely(transactionLike(db)),
    schema,
    migrate: false,
    createSchema: false,
    supervise: false,
    schedule: false,
  })
  boss.on('error', (error) => log.error({ err: error }, 'the job queue met an error'))
  await boss.start()
  return {
    async insert(tx, queue, job) {
      await boss.insert(queue, [job], { db: fromKysely(transactionLike(tx)) })
    },
    [Symbol.asyncDispose]: () => boss.stop({ graceful: false, close: false }),
  }
}

type TransactionLike = Parameters<typeof fromKysely>[0]

/** pg-boss only ever runs `executeQuery`, which both shapes have. */
function transactionLike(db: Database | Tx): TransactionLike {
  return db as unknown as TransactionLike
}

/** The queue's own schema and its queues; run by `svc-admin migrate` alone. */
export async function migrateJobs(databaseUrl: string): Promise<void> {
  const boss = new PgBoss({
    connectionString: databaseUrl,
    schema,
    supervise: false,
    schedule: false,
    max: 1,
  })
  boss.on('error', () => undefined) // `start` rejects with the same error
  await boss.start()
  try {
    const existing = new Set((await boss.getQueues()).map((queue) => queue.name))
    if (!existing.has(queues.webhookEvent)) {
      await boss.createQueue(queues.webhookEvent, {
        partition: true,
        retryLimit: 20,
        retryDelay: 5,
        expireInSeconds: 60,
      })
    }
  } finally {
    await boss.stop({ graceful: false, close: true })
  }
}

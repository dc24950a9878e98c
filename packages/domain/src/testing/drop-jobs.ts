import { sql } from 'kysely'
import type { Domain } from '../domain.ts'
import type { QueueName } from '../jobs/jobs.ts'

/** What one test left waiting would come due in another, whose time goes on from there. */
export async function dropJobs({ db }: Domain, queue: QueueName): Promise<void> {
  await sql`delete from pgboss.job where name = ${queue}`.execute(db)
}

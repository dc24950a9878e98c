import type { Domain } from '@svc/domain/domain'
import { type ServiceWork, readWork } from '@svc/domain/operations/read-work'
import type { Log } from '@svc/process/log'
import { Gauge, type Registry } from 'prom-client'

/**
 * What the whole service has to do. Answers how to look at it once more: while the database does not answer, these are left
 * out, and svc_database_up says so.
 */
export function measureService(registry: Registry, domain: Domain, log: Log): () => Promise<void> {
  const gauges = createGauges(registry)
  return async () => {
    const work = await readWork(domain.db).catch((error: unknown) => {
      log.warn({ err: error }, 'what the service has to do could not be read')
      return undefined
    })
    for (const gauge of Object.values(gauges)) gauge.reset()
    gauges.up.set(work ? 1 : 0)
    if (work) show(work, gauges)
  }
}

type Gauges = ReturnType<typeof createGauges>

function createGauges(registry: Registry) {
  const gauge = <L extends string>(name: string, help: string, labelNames: L[] = []) =>
    new Gauge<L>({ name, help, labelNames, registers: [registry] })
  return {
    up: gauge('svc_database_up', 'Whether the database answered when this was read.'),
    runs: gauge('svc_runs', 'Runs that are not over, by what they are in; at most 10000.', [
      'status',
    ]),
    oldestQueued: gauge(
      'svc_oldest_queued_seconds',
      'How long the oldest run has waited that a runner may take; 0 where none waits.',
    ),
    due: gauge('svc_due_jobs', 'What the dispatcher may do now; at most 10000 a queue.', ['queue']),
    oldestDue: gauge('svc_oldest_due_seconds', 'How late the oldest of them is.', ['queue']),
    transaction: gauge(
      'svc_oldest_transaction_seconds',
      'The oldest open transaction of the database, which holds back feeds and vacuum.',
    ),
    bytes: gauge('svc_database_bytes', 'The size of the database.'),
    deadRows: gauge('svc_dead_rows', 'Of the ten tables that vacuum is furthest behind with.', [
      'table',
    ]),
  }
}

function show(work: ServiceWork, gauges: Gauges): void {
  for (const { status, count } of work.runs) gauges.runs.set({ status }, count)
  gauges.oldestQueued.set(work.oldestQueuedSeconds ?? 0)
  for (const { queue, count, oldestSeconds } of work.due) {
    gauges.due.set({ queue }, count)
    gauges.oldestDue.set({ queue }, oldestSeconds)
  }
  gauges.transaction.set(work.oldestTransactionSeconds)
  gauges.bytes.set(work.databaseBytes)
  for (const { table, count } of work.deadRows) gauges.deadRows.set({ table }, count)
}

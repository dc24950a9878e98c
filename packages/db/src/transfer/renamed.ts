import type { DataTable } from './data-tables.ts'

/** The migration that gave tables and columns the names below, and changed nothing else. */
const renaming = '002_names'

const tables: Readonly<Record<string, string>> = {
  webhook_event: 'webhook_events',
  webhook_subscription: 'webhook_subscriptions',
  webhook_body: 'webhook_bodies',
  webhook_delivery: 'webhook_deliveries',
  webhook_attempt: 'webhook_attempts',
}

const columns: Readonly<Record<string, string>> = {
  'missions.advance_owed_by': 'pending_advance_delivery_id',
  'objectives.owes_queue_id': 'advances_queue_id',
  'execution_requests.no_runner_told_at': 'no_runner_notified_at',
  'run_queues.advance_owed_since': 'advance_pending_since',
}

/** The version of an export once its tables and columns have the names of today. */
export function renamedVersion(version: readonly string[]): readonly string[] {
  return version.includes(renaming) ? version : [...version, renaming]
}

/** A table of an export by its name of today, and its columns likewise. Names of today stay what they are. */
export function renamedTable(table: DataTable): DataTable {
  return {
    name: renamedTableName(table.name),
    columns: table.columns.map((column) => columns[`${table.name}.${column}`] ?? column),
  }
}

export function renamedTableName(name: string): string {
  return tables[name] ?? name
}

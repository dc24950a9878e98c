import { ownMigrations, readMigration } from '../migrations.ts'

/**
 * Files that add tables, or columns with something to begin with, and change nothing else: an export of before is taken in
 * without these. What follows the line `-- rows of before` in such a file is then done with the rows that came.
 */
const adding: readonly string[] = [
  '003_holds',
  '004_checks',
  '005_usage',
  '006_conversations',
  '007_live_feed',
  '008_runs',
  '009_needs',
  '010_logs_and_diffs',
  '011_failed_deliveries',
  '012_workspace_revision',
  '013_audit',
  '014_run_ends',
  '015_budgets',
  '016_inbox',
  '017_priorities',
  '018_audit_pruning',
  '019_workspace_deletion',
  '020_feed_era',
  '021_deleted_workspaces_of_person',
  '022_ephemeral_runners',
  '023_gone_on',
  '024_unnamed_runners',
]

const rowsOfBefore = /^-- rows of before$/m

/** Those of this version that an export of that version lacks. */
export function additionsSince(written: readonly string[], version: readonly string[]): string[] {
  return version.filter((name) => adding.includes(name) && !written.includes(name))
}

/** What the file does with the rows that were there; undefined where that is nothing. */
export async function statementsFor(addition: string): Promise<string | undefined> {
  const { steps } = await readMigration(ownMigrations, addition)
  const [, ofRows] = steps.join('').split(rowsOfBefore)
  return ofRows
}

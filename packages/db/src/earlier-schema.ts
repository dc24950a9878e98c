/** The last commit whose migrations are the files below: it reads every database that any of them made. */
const lastCommit = 'edd70404a27c'

/** The files that made the schema, in their order, before it was one. Nobody has one of them without the first. */
export const earlierMigrations = [
  '001_core',
  '002_webhooks',
  '003_branches',
  '004_resend',
  '005_token_parents',
  '006_session_traces',
  '007_order_of_work',
  '008_claim_lanes',
  '009_deliveries_in_flight',
  '010_flat',
  '011_keys_of_one_thing',
  '012_search',
  '013_audit_trail',
  '014_questions',
  '015_ways_out',
  '016_run_queues',
  '017_compositions',
  '022_inbox',
  '023_beside_objectives',
  '025_purge',
  '026_notifications',
  '027_list_of_deleted',
  '029_newest_deleted',
  '030_what_is_told',
  '031_push_branches',
  '032_people',
  '033_ways_in',
  '034_members',
  '035_oauth',
  '036_login_requests',
  '037_identity_ids',
  '038_ending_applications',
  '039_worktrees_of_missions',
  '040_named_runners',
  '045_proven_addresses',
  '046_neighbouring_networks',
  '050_event_order',
  '051_sent_modes',
  '055_allowed_commands',
  '060_reserved_branches',
  '064_set_by',
]

/** What of then has become of them: the same tables and columns. */
const oneFile = '001_schema'

export const isEarlier = (migrations: readonly string[]): boolean => migrations.includes('001_core')

/** What to do with a database that was made then. */
export const earlierDatabase = `This database was made before the schema was one file, and commit ${lastCommit} is the last that reads it: export it with that version (svc-admin export, or npm start -- --export), then import the file into a new database with this one (svc-admin import, or npm start -- --import).`

/** What to do with an export of one that had not come to the last of those files. */
export const earlierExport = `This export was written before the schema was one file, and not by commit ${lastCommit}, the last that reads its database: bring the database to that version with its svc-admin migrate, and export anew with it.`

/** A version as an import compares it: all of those files, and no other, are the one that they became. */
export function asOneFile(version: readonly string[]): readonly string[] {
  const others = version.filter((name) => !earlierMigrations.includes(name))
  const hasAll = version.length - others.length === earlierMigrations.length
  return hasAll && !others.includes(oneFile) ? [oneFile, ...others] : version
}

import type { Tables } from '@svc/db/tables'

/**
 * What no time of its own carries out, each with how its rows go, or with what bounds them where they stay. Beside these there
 * is what goes after a time (`retention.ts`), and what goes with its mission or objective (`deletion/purge.ts`).
 */
export const kept: Readonly<Partial<Record<keyof Tables, string>>> = {
  workspaces:
    'stay; a deleted one goes 30 days later with all its rows, whatever else this page says of them',
  held_memberships: 'as long as their workspace is deleted and can be restored',
  removed_workspaces: 'stay: one line for each workspace that has gone',
  users: 'stay: one for each person, whom the history names',
  memberships: 'until the member goes',
  user_passwords: 'until the account is reset: one for each person',
  user_identities: 'until the person unlinks the account of a provider',
  user_tokens:
    'stay, revoked and ended ones too, whose names the audit trail shows; those whose approval nobody fetched go by the table above',
  user_token_scopes: 'as long as their token',
  setup_link: 'until anybody has a credential: one',
  projects: 'stay: their slug begins the ids of everything that was ever in them',
  project_statuses: 'until the column is deleted',
  project_resources: 'until the resource is unlinked',
  run_queues: 'until the queue is deleted',
  missions: '30 days after they were deleted',
  runners:
    'stay, removed ones too, which their runs name; those for one launch alone go by the table above once nothing names them',
  runner_resources: 'until the runner no longer offers them, or is removed',
  run_log_sums: 'stay: one for each workspace',
  inbox_items: 'until their person deletes them',
  notifications:
    'stay: one for each thing that a person was notified of, and never twice of the same',
  webhook_subscriptions: 'stay, deleted ones too, without their secret: 100 at once in a workspace',
  webhook_events: 'until they were handed on, then by the table above',
  webhook_deliveries: 'until they were sent or given up, then by the table above',
  feed_floor: 'stays: one row',
  key_canary: 'stays: one row',
  sweep_state: 'stays: one row',
}

import type { Tables } from '@svc/db/tables'
import { type RawBuilder, sql } from 'kysely'
import { triesMinutes } from '../people/failed-sign-ins.ts'
import { isNamed } from '../runners/unnamed.ts'

/** Which pass carries a row out. */
export type Pass = 'each minute' | 'each hour' | 'by the dispatcher'

export type Period = { days: number } | { hours: number } | { mins: number }

interface Common<Column> {
  /** What goes, in words. */
  what: string
  pass: Pass
  /** Finds what is to go, the oldest first, so that a pass costs what it finds. */
  index: string
  /** Only these rows of the table. */
  only?: RawBuilder<boolean>
  /** Kept for as long as another row, of this table `t`, needs it. */
  unless?: RawBuilder<boolean>
  /** This column is emptied and the row stays. */
  clears?: Column
}

interface ByMoment<Column> extends Common<Column> {
  /** The column of the moment that the period counts from: rows from further back are purged. */
  since: Column
  /** Nothing: at that moment. */
  kept?: Period
  /** A part of the same statement that writes something from this column of the purged rows, `gone`. */
  alsoWrites?: { column: Column; write: RawBuilder<unknown> }
}

/** In each workspace by ranges of an id, which begins with its time, so that no index is needed for it. */
interface ById<Column> extends Common<Column> {
  idOf: Column
  kept: { days: number }
}

/** In each workspace, by the one function that the database lets do it, which adds an entry that says so. */
interface ByPruning<Column> extends Common<Column> {
  since: Column
  setting: 'SVC_AUDIT_DAYS'
}

type Columns<T extends keyof Tables> = keyof Tables[T] & string
type Of<T extends keyof Tables> = { table: T } & (ByMoment<Columns<T>> | ById<Columns<T>>)
export type AuditRow = { table: 'audit_trail' } & ByPruning<Columns<'audit_trail'>>
export type Retained = { [T in keyof Tables]: Of<T> }[keyof Tables] | AuditRow

/** A day of an application's code, which is known that long when it comes a second time. */
const usedCode = { days: 1 }

/** The offset makes of what waits one look-up a row: with any other plan a pass reads all that there is. */
const isWaitedFor = (of: RawBuilder<unknown>) => sql<boolean>`exists (
  select from webhook_deliveries d
   where d.workspace_id = t.workspace_id and d.state in ('pending', 'held') and d.kind = 'event'
     and ${of} offset 0)`

/**
 * All that is kept for a time and then goes by itself. `purgeExpired` carries it out. Not here: missions and objectives
 * that were deleted, which take what belongs to them along (`deletion/purge.ts`); the link of the first owner, which ends
 * with the first credential of anybody (`people/set-up.ts`); and jobs that are done, which pg-boss keeps.
 */
export const retention: readonly Retained[] = [
  {
    what: 'failed tries to sign in',
    table: 'failed_sign_ins',
    since: 'since',
    kept: { mins: triesMinutes },
    index: 'failed_sign_ins_by_age',
    pass: 'each minute',
  },
  {
    what: 'who went to an OpenID provider and did not come back',
    table: 'openid_requests',
    since: 'expires_at',
    index: 'openid_requests_by_end',
    pass: 'each minute',
  },
  {
    // so long may whoever got no answer repeat a call that made a secret
    what: 'answers that hold a secret',
    table: 'idempotency_keys',
    clears: 'answer_secret',
    since: 'created_at',
    kept: { mins: 10 },
    only: sql`answer_secret is not null`,
    index: 'idempotency_keys_secret',
    pass: 'each minute',
  },
  {
    // decision 15
    what: 'keys of calls, with their answers',
    table: 'idempotency_keys',
    since: 'created_at',
    kept: { hours: 24 },
    index: 'idempotency_keys_age',
    pass: 'each minute',
  },
  {
    // a reader whose cursor is from before that starts anew, which feed_floor decides
    what: 'changes of the feed',
    table: 'entity_changes',
    since: 'created_at',
    kept: { days: 7 },
    index: 'entity_changes_age',
    alsoWrites: {
      column: 'xid',
      write: sql`
        update feed_floor set xid = greatest(feed_floor.xid, newest.xid)
          from (select xid from gone order by xid desc limit 1) newest`,
    },
    pass: 'each hour',
  },
  {
    what: 'entries of the audit trail',
    table: 'audit_trail',
    since: 'created_at',
    setting: 'SVC_AUDIT_DAYS',
    index: 'audit_trail_newest',
    pass: 'each hour',
  },
  {
    // two years, so that a week can be held against the same one of the year before
    what: 'sums of what runs used in a week',
    table: 'usage_weeks',
    since: 'week',
    kept: { days: 105 * 7 },
    index: 'usage_weeks_by_age',
    pass: 'each hour',
  },
  {
    // for as long as a person may want to look one up
    what: 'sign-ins',
    table: 'sign_ins',
    since: 'expires_at',
    kept: { days: 30 },
    index: 'sign_ins_by_end',
    pass: 'each hour',
  },
  {
    // at once: anybody may ask
    what: 'requests for access that nobody allowed',
    table: 'oauth_requests',
    since: 'expires_at',
    only: sql`code_hash is null`,
    index: 'oauth_requests_by_end',
    pass: 'each hour',
  },
  {
    what: 'requests for access',
    table: 'oauth_requests',
    since: 'expires_at',
    kept: usedCode,
    index: 'oauth_requests_by_end',
    pass: 'each hour',
  },
  {
    what: 'access that was approved and never fetched',
    table: 'user_tokens',
    since: 'expires_at',
    kept: usedCode,
    only: sql`token_hmac is null`,
    index: 'user_tokens_without_secret',
    pass: 'each hour',
  },
  {
    // its period is in the row: `keptDays` of oauth/clients.ts
    what: 'applications that nobody uses',
    table: 'oauth_clients',
    since: 'kept_until',
    index: 'oauth_clients_by_end',
    pass: 'each hour',
  },
  {
    what: 'invitations',
    table: 'invitations',
    since: 'expires_at',
    index: 'invitations_by_end',
    pass: 'each hour',
  },
  {
    what: 'links to set a new password',
    table: 'reset_links',
    since: 'expires_at',
    index: 'reset_links_by_end',
    pass: 'each hour',
  },
  {
    // what can be seen of old ones, such as that one was denied
    what: 'requests of a command line to be signed in',
    table: 'login_requests',
    since: 'expires_at',
    kept: { hours: 1 },
    index: 'login_requests_by_end',
    pass: 'each hour',
  },
  {
    // whoever looks for what became of a pod that found nothing still finds it; one that had a run goes after that
    what: 'runners for one launch alone that are gone and that no run names',
    table: 'runners',
    since: 'unnamed_since',
    kept: { days: 1 },
    only: sql`unnamed_since is not null`,
    unless: isNamed(sql`t`),
    index: 'runners_unnamed',
    pass: 'each hour',
  },
  {
    what: 'attempts to send an event',
    table: 'webhook_attempts',
    idOf: 'delivery_id',
    kept: { days: 30 },
    unless: isWaitedFor(sql`d.id = t.delivery_id`),
    index: 'webhook_attempts_pkey',
    pass: 'by the dispatcher',
  },
  {
    what: 'bodies of events',
    table: 'webhook_bodies',
    idOf: 'event_id',
    kept: { days: 30 },
    unless: isWaitedFor(sql`d.event_id = t.event_id`),
    index: 'webhook_bodies_pkey',
    pass: 'by the dispatcher',
  },
  {
    what: 'events',
    table: 'webhook_events',
    idOf: 'id',
    kept: { days: 30 },
    only: sql`fanned_out_at is not null`,
    index: 'webhook_events_pkey',
    pass: 'by the dispatcher',
  },
  {
    // the log of a webhook says for longer than its bodies what became of each event
    what: 'deliveries of events',
    table: 'webhook_deliveries',
    idOf: 'id',
    kept: { days: 90 },
    only: sql`state not in ('pending', 'held')`,
    index: 'webhook_deliveries_pkey',
    pass: 'by the dispatcher',
  },
]

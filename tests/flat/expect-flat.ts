import type { Database } from '@svc/db/database'
import type { Hooked } from '@svc/domain/testing/hooked-world'
import { expect } from 'vitest'
import { type Access, accessesOf, keptAccessesOf } from './plans.ts'
import { type Sent, statementsOf } from './sent.ts'

/** Indexes that are asked for what many rows share, each with why that costs what is found and no more. */
const byCalls = {
  missions_pkey: 'is read from its newest end',
  missions_newest_of_project: 'is read from its newest end',
  execution_requests_newest: 'is read from the newest end of each state',
  execution_requests_of_project: 'is read from the newest end of each state',
  execution_requests_of_runner: 'is read from the newest end of each state',
  execution_requests_of_runner_in_project: 'is read from the newest end of each state',
  missions_deleted_newest: 'is read from its newest end',
  user_tokens_pkey: 'is read from its newest end',
  user_tokens_in_force: 'holds what was not revoked',
  user_tokens_without_secret: 'holds what was approved and nobody has fetched yet',
  inbox_items_open: 'is read from its newest end',
  inbox_items_of_person: 'is read from its newest end',
  inbox_items_turned_of_person: 'is read from its newest end',
  questions_pkey: 'is read from its newest end',
  questions_one_pending: 'holds the questions that wait',
  questions_pending_of_objective: 'holds the questions that wait',
  questions_open: 'holds the questions that nobody has answered',
  notifications_of_person: 'is read from its newest end',
  notifications_unread: 'holds what a person has not read',
  mission_words_found: 'a word begins with its workspace',
  missions_in_review: 'holds the missions in review',
  missions_in_review_of: 'holds the missions in review',
  questions_open_of: 'holds the questions that nobody has answered',
  execution_requests_queued_of_device: 'holds what is queued',
  agent_sessions_alone: 'holds the sessions that are listened to and have no run',
  execution_requests_partitions: 'holds what is queued',
  execution_requests_leased: 'holds the runs under way',
  audit_trail_newest: 'is read from its newest end',
}
export const byLoops = {
  ...byCalls,
  execution_requests_one_live: 'holds the runs under way',
  agent_sessions_one_live: 'holds the sessions that live',
  agent_sessions_listened: 'holds the sessions that are listened to',
  questions_to_expire: 'is read from its due end',
  execution_requests_unnotified: 'holds what is queued and nobody was notified of',
  objectives_launching: 'holds what is being launched',
  objectives_deleted: 'holds what was deleted, and is read from its old end',
  missions_deleted: 'holds what was deleted, and is read from its old end',
  execution_requests_cancelling: 'holds the runs that are to end',
  notifications_of_ending_tokens: 'holds the warnings that nobody has read',
  missions_pending_advance: 'holds the missions whose next step is pending',
  webhook_events_waiting: 'holds the events that wait',
  webhook_deliveries_due: 'holds the tests apart, which are due at no time',
  run_log_chunks_by_age: 'is read from its oldest end',
  webhook_deliveries_tests: 'holds the tests of webhooks, which people send one by one',
}
type Exceptions = Readonly<Record<string, string>>

export interface Filled {
  /** The tables that grow. */
  big: ReadonlySet<string>
  columns: ReadonlyMap<string, readonly string[]>
  /** With nothing in it yet. */
  young: Database
  /** Whether an index is to be chosen wherever there is one, as in tables that are too small to be worth it. */
  byIndexes: boolean
}

/** What many rows have in common; an index that is asked for nothing else gives all of these. */
const shared = new Set([
  'workspace_id',
  'project_id',
  'runner_id',
  'user_id',
  'name',
  'kind',
  'state',
  '',
])

/** What is wrong with how this reads a big table, if anything is. */
function wrongWith(
  { table, index, condition }: Access,
  { columns, exceptions }: { columns: Filled['columns']; exceptions: Exceptions },
): string | undefined {
  if (index === null) return `${table} is read from end to end`
  // a call is of one workspace at least, a loop may look at all that an index holds
  if (exceptions[index] !== undefined && (condition !== '' || exceptions === byLoops)) {
    return undefined
  }
  const asked = new Set([...condition.matchAll(/(\w+) (?:=|<|>|<=|>=) /g)].map(([, name]) => name))
  const led = columns.get(index) ?? []
  const end = led.findIndex((name) => !asked.has(name))
  const used = end === -1 ? led : led.slice(0, end)
  if (used.some((name) => !shared.has(name))) return undefined
  return `${index} is read for what many share: ${condition || 'all of it'}`
}

/** How the same statements are planned at other times in the life of a service. */
const times = {
  'for its values': (db: Database, sent: readonly Sent[], { byIndexes }: Filled) =>
    Promise.all(sent.map((one) => accessesOf(db, one, byIndexes))),
  'for any values': (db: Database, sent: readonly Sent[], { byIndexes }: Filled) =>
    keptAccessesOf(db, sent, { withoutStatistics: false, byIndexes }),
  'before anything is analysed': (db: Database, sent: readonly Sent[], { byIndexes }: Filled) =>
    keptAccessesOf(db, sent, { withoutStatistics: true, byIndexes }),
  'while there is nothing': (_: Database, sent: readonly Sent[], { young }: Filled) =>
    keptAccessesOf(young, sent, { withoutStatistics: true, byIndexes: false }),
}

/**
 * Statements that read all that their workspace has when their plan was made in a young database, until the first
 * analysis: the new order of the objectives of a mission, and the check of the run queues.
 */
const leftToAnalysis = /^\s*(?:with ordered as|select \$1::text as invariant)/

/** What is guessed from the size of the files alone, which says nothing of small ones. */
const ofSize: keyof typeof times = 'before anything is analysed'

interface Judging {
  exceptions?: Exceptions
  except?: keyof typeof times
}

/** Loops send the same few statements for ever, people call rarely: both are planned anew once there is anything. */
export const onceThereIsSomething = { except: 'while there is nothing' } as const

export async function expectFlat(
  { domain }: Pick<Hooked, 'domain'>,
  filled: Filled,
  work: () => Promise<unknown>,
  { exceptions = byCalls, except }: Judging = {},
): Promise<void> {
  const { big, columns } = filled
  const sent = await statementsOf(work)
  expect(sent.length).toBeGreaterThan(0)
  for (const [time, plan] of Object.entries(times)) {
    if (time === except || (filled.byIndexes && time === ofSize)) continue
    const judged = time.startsWith('for')
      ? sent
      : sent.filter((one) => !leftToAnalysis.test(one.text))
    const wrong = (await plan(domain.db, judged, filled)).flatMap((accesses, n) =>
      accesses
        .filter(({ table }) => big.has(table))
        .flatMap((access) => wrongWith(access, { columns, exceptions }) ?? [])
        .map((one) => `${one}\n    ${flatten(judged[n]?.text ?? '')}`),
    )
    expect.soft(wrong, `planned ${time}`).toEqual([])
  }
}

const flatten = (text: string) => text.replaceAll(/\s+/g, ' ').trim().slice(0, 300)

import { StateSetter } from '@svc/contracts/context'
import {
  LastOutcome,
  ObjectiveState,
  Priority,
  QuestionStatus,
  RequestKind,
  RequestStatus,
  ResourcePermission,
  RunOutcome,
  SessionEndReason,
  SessionPhase,
  SessionStatus,
  StatusType,
  VcsStatus,
  isLive,
} from '@svc/contracts/states'
import { Role } from '@svc/contracts/permissions'
import { EntryState, PauseReason } from '@svc/contracts/run-queue'
import { CheckoutState } from '@svc/contracts/runner'
import { UserToken, WorkspaceToken } from '@svc/contracts/user-token'
import {
  AttemptOutcome,
  AttemptTrigger,
  DisabledReason,
  PayloadMode,
  SettledState,
  WebhookDeliveryState,
} from '@svc/contracts/webhook-subscription'
import { verifies } from '@svc/testing/verifies'
import { type World, test } from '../testing/world.ts'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { activeStates, notStartedStates, where } from './states.ts'

/** The values that a column's own check names. */
async function allowedIn(world: World, table: string, column: string): Promise<string[]> {
  const { rows } = await sql<{ definition: string }>`
    select pg_get_constraintdef(c.oid) as definition from pg_constraint c
      join pg_attribute a on a.attrelid = c.conrelid and c.conkey = array[a.attnum]
     where c.contype = 'c' and c.conrelid = ${table}::regclass and a.attname = ${column}`.execute(
    world.domain.db,
  )
  const text = rows.map((row) => row.definition).join(' ')
  return [...text.matchAll(/'([^']+)'::text/g)].map(([, value = '']) => value)
}

/** Every column that has a list of its values, and the contract's. */
const enumerated = [
  ['objectives', 'state', ObjectiveState.options],
  ['objectives', 'prior_state', notStartedStates],
  ['objectives', 'last_outcome', LastOutcome.options],
  ['execution_requests', 'status', RequestStatus.options],
  ['execution_requests', 'outcome', RunOutcome.options],
  ['execution_requests', 'kind', RequestKind.options],
  ['agent_sessions', 'phase', SessionPhase.options],
  ['agent_sessions', 'status', SessionStatus.options],
  ['agent_sessions', 'end_reason', SessionEndReason.options],
  ['questions', 'status', QuestionStatus.options],
  ['run_queue_entries', 'state', EntryState.options],
  ['run_queues', 'pause_reason', PauseReason.options],
  ['project_statuses', 'type', StatusType.options],
  ['project_resources', 'permission', ResourcePermission.options],
  ['runner_resources', 'state', CheckoutState.options],
  ['missions', 'priority', Priority.options],
  ['changed_files', 'vcs_status', VcsStatus.options],
  ['memberships', 'role', Role.options],
  ['held_memberships', 'role', Role.options],
  ['invitations', 'role', Role.options],
  ['user_tokens', 'kind', WorkspaceToken.shape.kind.options],
  ['user_tokens', 'scope_kind', UserToken.shape.scope.options],
  ['shared_state', 'set_by_role', StateSetter.options],
  ['webhook_subscriptions', 'payload_mode', PayloadMode.options],
  ['webhook_subscriptions', 'disabled_reason', DisabledReason.options],
  ['webhook_bodies', 'mode', PayloadMode.options],
  ['webhook_deliveries', 'mode', PayloadMode.options],
  ['webhook_deliveries', 'state', WebhookDeliveryState.options],
  ['webhook_deliveries', 'resent_from', SettledState.options],
  ['webhook_attempts', 'mode', PayloadMode.options],
  ['webhook_attempts', 'outcome', AttemptOutcome.options],
  ['webhook_attempts', 'trigger', AttemptTrigger.options],
] as const

/** Those that no contract shows. */
const unseen = [
  'audit_trail.by_kind',
  'login_requests.state',
  'mission_events.actor_role',
  'webhook_deliveries.kind',
]

describe('the database allows the values of the contract and no others', () => {
  test(verifies('objective.states', 'as the state of an objective'), async ({ world }) => {
    expect((await allowedIn(world, 'objectives', 'state')).toSorted()).toEqual(
      ObjectiveState.options.toSorted(),
    )
  })

  test(verifies('request.statuses', 'as the status of an execution request'), async ({ world }) => {
    const allowed = await allowedIn(world, 'execution_requests', 'status')
    expect(allowed.toSorted()).toEqual(RequestStatus.options.toSorted())
    expect(allowed).toEqual(expect.arrayContaining(['queued', 'launching', 'launched', 'failed']))
  })

  test.for(enumerated)('in %s.%s', async ([table, column, options], { world }) => {
    expect((await allowedIn(world, table, column)).toSorted()).toEqual(
      [...options].map(String).toSorted(),
    )
  })

  test('in every column that has a list of its values', async ({ world }) => {
    const { rows } = await sql<{ column: string }>`
      select distinct c.conrelid::regclass || '.' || a.attname as column from pg_constraint c
        join pg_attribute a on a.attrelid = c.conrelid and c.conkey = array[a.attnum]
       where c.contype = 'c' and c.connamespace = 'public'::regnamespace
         and pg_get_constraintdef(c.oid) like '%ARRAY[%'`.execute(world.domain.db)
    const known = [...enumerated.map(([table, column]) => `${table}.${column}`), ...unseen]
    expect(rows.map(({ column }) => column).toSorted()).toEqual(known.toSorted())
  })
})

const statuses = new Set([
  ...RequestStatus.options,
  ...SessionStatus.options,
  ...QuestionStatus.options,
])
const states = new Set([...ObjectiveState.options, ...EntryState.options])

describe('an index that stands for a predicate holds the same rows as it', () => {
  test.for([
    ['execution_requests_one_live', where.live('t')],
    ['agent_sessions_one_live', where.liveSession('t')],
    ['agent_sessions_listened', where.watched('t')],
    ['objectives_one_active', sql`t.state in (${sql.join(activeStates)}) and t.serial`],
    ['execution_requests_leased', sql`${where.held('t')}`],
    ['questions_one_pending', where.pendingQuestion('t')],
    ['questions_pending_of_objective', where.pendingQuestion('t')],
    ['run_queue_entries_one_in_flight', where.inFlight('t')],
    ['run_queue_entries_in_flight', where.inFlight('t')],
  ] as const)('%s', async ([index, predicate], { world }) => {
    const { rows } = await sql<{ condition: string }>`
      select pg_get_expr(i.indpred, i.indrelid) as condition from pg_index i
       where i.indexrelid = ${index}::regclass`.execute(world.domain.db)
    const condition = rows[0]?.condition ?? 'no such index'
    const { rows: different } = await sql`
      select t.* from (
        select status, outcome, state, true as serial, null::timestamptz as ended_at
          from unnest(${[...statuses]}::text[]) as status,
               unnest(${[...RunOutcome.options, null]}::text[]) as outcome,
               unnest(${[...states]}::text[]) as state) t
       where (${sql.raw(condition)}) is distinct from (${predicate})`.execute(world.domain.db)
    expect(different).toEqual([])
  })
})

test('a request is live where it is judged alone as where the database looks for it', async ({
  world,
}) => {
  const { rows } = await sql<{ status: RequestStatus; outcome: RunOutcome | null; live: boolean }>`
    select t.status, t.outcome, coalesce(${where.live('t')}, false) as live from (
      select status, outcome from unnest(${RequestStatus.options}::text[]) as status,
                                  unnest(${[...RunOutcome.options, null]}::text[]) as outcome) t
     where (t.status = 'launched') = (t.outcome is not null)`.execute(world.domain.db)
  expect(rows.length).toBeGreaterThan(RequestStatus.options.length)
  expect(rows.filter((row) => row.live !== isLive(row))).toEqual([])
})

import {
  LastOutcome,
  ObjectiveState,
  Priority,
  RequestStatus,
  ResourcePermission,
  RunOutcome,
  SessionEndReason,
  SessionPhase,
  SessionStatus,
  StatusType,
  VcsStatus,
} from '@svc/contracts/states'
import { Role } from '@svc/contracts/permissions'
import { verifies } from '@svc/testing/verifies'
import { type World, test } from '@svc/testing/world'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'

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

  test.for([
    ['objectives', 'last_outcome', LastOutcome.options],
    ['execution_requests', 'outcome', RunOutcome.options],
    ['agent_sessions', 'phase', SessionPhase.options],
    ['agent_sessions', 'status', SessionStatus.options],
    ['agent_sessions', 'end_reason', SessionEndReason.options],
    ['project_statuses', 'type', StatusType.options],
    ['project_resources', 'permission', ResourcePermission.options],
    ['missions', 'priority', Priority.options],
    ['changed_files', 'vcs_status', VcsStatus.options],
    ['memberships', 'role', Role.options],
  ] as const)('in %s.%s', async ([table, column, options], { world }) => {
    expect((await allowedIn(world, table, column)).toSorted()).toEqual(
      [...options].map(String).toSorted(),
    )
  })
})

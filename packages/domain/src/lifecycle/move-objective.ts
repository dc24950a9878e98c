import { ServiceError } from '@svc/contracts/errors'
import type { BuiltInEventType } from '@svc/contracts/events'
import { type ObjectiveState, isClosed, isNotStarted } from '@svc/contracts/states'
import type { ObjectiveRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { recordChange } from '../commit/records.ts'
import type { MissionRecord } from '../entities/missions/queries.ts'
import { snapshotObjective } from '../entities/missions/snapshot.ts'
import { isDeleted } from '../entities/objectives/queries.ts'
import { displayIdOf } from '../entities/objectives/views.ts'
import { ofRuns, settleNotices } from '../notifications/settle.ts'
import type { CarriedBy, EventSnapshot } from '../events/event-snapshot.ts'
import { announce } from './announce.ts'
import { movedFrom } from './moved-from.ts'
import { isActive, isStarted, where } from '../states/states.ts'
import { type ObjectiveTrigger, allows, objectiveLifecycle } from '../states/table.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'

interface Facts {
  mission: MissionRecord
  objective: ObjectiveRow
  /** Written with the move. */
  set?: Partial<
    Omit<
      ObjectiveRow,
      'state' | 'serial' | 'position' | 'prior_state' | 'need' | 'need_since' | 'revision'
    >
  >
  /** A delivery that passes through `executing` leaves before its commit, so it takes no slot. */
  takesNoSlot?: boolean
}

type PublishedBy<T extends ObjectiveTrigger> = T extends ObjectiveTrigger
  ? (typeof objectiveLifecycle)[T] extends { publishes: readonly (infer Type)[] }
    ? Type & BuiltInEventType
    : never
  : never

/** What the events of the row carry in addition to mission and objective; nothing for a row that publishes nothing. */
type WithPayload<T extends ObjectiveTrigger> = [PublishedBy<T>] extends [never]
  ? { payload?: undefined }
  : {
      payload: {
        [Part in Exclude<CarriedBy<PublishedBy<T>>, 'objective'>]: NonNullable<EventSnapshot[Part]>
      }
    }

/**
 * The only place that moves an objective's state: what the lifecycle table says of this trigger, or
 * `invalid_transition`. The caller holds the mission's lock. Keeps the slot, the positions, the feed and the outbox
 * right. Written with the commit.
 */
export async function moveObjective<T extends ObjectiveTrigger>(
  tx: UnitOfWork,
  trigger: T,
  facts: Facts & WithPayload<T>,
): Promise<ObjectiveRow> {
  const { mission, objective, payload } = facts
  const row = objectiveLifecycle[trigger]
  const to = row.to === 'prior' ? (objective.prior_state ?? 'draft') : row.to
  if (!allows(trigger, objective.state)) throw invalidTransition(trigger, facts)
  const serial = slotOf(facts, to)
  const need = needAfter(trigger, facts, to)
  const moved = tx.pending.move('objectives', objective, {
    ...facts.set,
    state: to,
    prior_state: priorOf(trigger, objective),
    serial,
    need,
    need_since: need && tx.locks.now,
    revision: objective.revision + 1,
  })
  settle(tx, objective, to)
  recordChange(tx, { objective: moved, mission }, trigger, { state: to, from: objective.state })
  const changesSides = isStarted(objective.state) !== isStarted(to)
  const placed = changesSides ? await reposition(tx, moved) : moved
  if ('publishes' in row) {
    announce(tx, row.publishes, mission, { objective: snapshotObjective(placed), ...payload })
  }
  return placed
}

/** The triggers by which a run comes to nothing without a person's word. */
const stopping: ReadonlySet<ObjectiveTrigger> = new Set(['launchFail', 'exit', 'lose'])

/** What a person is needed for from now on. In what is closed or deleted for nothing. Decision 92. */
function needAfter(
  trigger: ObjectiveTrigger,
  { mission, objective }: Facts,
  to: ObjectiveState,
): ObjectiveRow['need'] {
  if (isClosed(mission.status_type) || isDeleted({ mission, objective })) return null
  if (to === 'awaiting_approval') return 'awaiting_approval'
  return stopping.has(trigger) ? 'stopped' : null
}

/** Settles the notices that ask for approval, and those that its last run came to nothing, once it goes on. */
function settle(tx: UnitOfWork, objective: ObjectiveRow, to: ObjectiveState): void {
  const { workspace_id, id, state } = objective
  if (state === to) return
  if (state === 'awaiting_approval') settleNotices(tx, ['awaiting_approval'], workspace_id, [id])
  if (!isNotStarted(to)) settleNotices(tx, ofRuns, workspace_id, [id])
}

function invalidTransition(trigger: ObjectiveTrigger, { mission, objective }: Facts): ServiceError {
  const { from } = objectiveLifecycle[trigger]
  return new ServiceError(
    'invalid_transition',
    movedFrom<ObjectiveState>('an objective', { from, now: objective.state }),
    { state: objective.state },
    { next: { operation: 'getObjective', params: { id: displayIdOf(mission, objective) } } },
  )
}

/** The state that a launch which comes to nothing goes back to; a second launch of a wedged one keeps the first. */
function priorOf(trigger: ObjectiveTrigger, objective: ObjectiveRow): ObjectiveRow['prior_state'] {
  if (objectiveLifecycle[trigger].to !== 'launching') return null
  const { state } = objective
  return isNotStarted(state) ? state : objective.prior_state
}

/** An active objective keeps its slot as it took it, so that the mission's flag may change meanwhile. */
function slotOf({ mission, objective, takesNoSlot }: Facts, to: ObjectiveState): boolean {
  if (!isActive(to)) return false
  if (isActive(objective.state)) return objective.serial
  return !mission.allow_parallel_objectives && takesNoSlot !== true
}

/** Started objectives stand before future ones; who changes sides goes to the border. Checked at commit. */
async function reposition(tx: UnitOfWork, objective: ObjectiveRow): Promise<ObjectiveRow> {
  const started = tx.locks.othersStarted(objective.id)
  tx.locks.discardStarted()
  const isInPlace = started !== undefined && objective.position === started + 1
  if (objective.position === null || isInPlace) return objective
  const { rows } = await sql<ObjectiveRow>`
    with ordered as (
      select id, row_number() over (order by
               not ${where.started()},
               case when id <> ${objective.id} then 0
                    when ${isStarted(objective.state)}::boolean then 1 else -1 end,
               position) as position
        from objectives
       where workspace_id = ${objective.workspace_id} and mission_id = ${objective.mission_id}
         and position is not null
    ), changed as (
      update objectives o set position = ordered.position from ordered
       where o.workspace_id = ${objective.workspace_id} and o.mission_id = ${objective.mission_id}
         and o.id = ordered.id
         and o.position is distinct from ordered.position
      returning o.*
    )
    select * from changed where id = ${objective.id}
    union all
    -- it may stand right already, where the move of another one has brought it
    select * from objectives
     where workspace_id = ${objective.workspace_id} and id = ${objective.id}
       and not exists (select from changed where id = ${objective.id})`.execute(tx)
  return rows[0] ?? objective
}

import type { ListedObjective } from '@svc/contracts/objective'
import type { ObjectiveRow } from '@svc/db/tables'
import { type RawBuilder, sql } from 'kysely'
import type { MissionRecord } from '../missions/queries.ts'
import { usedColumns, viewUsage } from '../missions/usage.ts'
import { displayIdOfMission } from '../missions/views.ts'

/** As much of a mission as its objectives are named by. */
type Naming = Pick<MissionRecord, 'project_slug' | 'sequence'>

export function displayIdOf(mission: Naming, objective: Pick<ObjectiveRow, 'key'>): string {
  return `${displayIdOfMission(mission)}.${objective.key}`
}

/** What is shown of an objective in addition to its instruction, which can be long. */
export const shortColumns = [
  'id',
  'mission_id',
  'key',
  'position',
  'title',
  'state',
  'last_outcome',
  'assigned_agent',
  'model',
  'reasoning_effort',
  'resource_key',
  'chosen_check',
  'branch',
  'approval_refusal',
  ...usedColumns,
  'revision',
  'created_at',
  'completed_at',
] as const satisfies readonly (keyof ObjectiveRow)[]

export type ShownObjective = Pick<ObjectiveRow, (typeof shortColumns)[number] | 'instruction'> & {
  /** Of the whole, where the instruction is cut. */
  instruction_bytes?: number | null
}

/** Over a row of objectives, which may be named: what is shown of it, with so much of its instruction. Cut before it is read. */
export function shownColumns(characters: number, of = 'objectives'): RawBuilder<ShownObjective> {
  const column = (name: string) => sql.ref(`${of}.${name}`)
  const instruction = column('instruction')
  const cut = sql`left(${instruction}, ${characters})`
  return sql`
    ${sql.join(shortColumns.map(column))}, ${cut} as instruction,
    case when octet_length(${cut}) < octet_length(${instruction})
         then octet_length(${instruction}) end as instruction_bytes`
}

export function viewObjective(mission: Naming, objective: ShownObjective): ListedObjective {
  return {
    id: objective.id,
    displayId: displayIdOf(mission, objective),
    missionId: objective.mission_id,
    position: objective.position,
    title: objective.title,
    instruction: objective.instruction,
    ...(objective.instruction_bytes != null && { instructionBytes: objective.instruction_bytes }),
    state: objective.state,
    lastOutcome: objective.last_outcome,
    assigned_agent: objective.assigned_agent,
    model: objective.model,
    reasoning_effort: objective.reasoning_effort,
    resource_key: objective.resource_key,
    check: objective.chosen_check,
    branch: objective.branch,
    approvalRefusal: objective.approval_refusal,
    usage: viewUsage(objective),
    revision: objective.revision,
    createdAt: objective.created_at.toISOString(),
    completedAt: objective.completed_at?.toISOString() ?? null,
  }
}

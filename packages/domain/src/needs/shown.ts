import type { Need, NeedKind } from '@svc/contracts/need'
import type { NextStep } from '@svc/contracts/next-step'
import { type RawBuilder, sql } from 'kysely'
import { isOffered } from '../access/offered.ts'
import type { Actor } from '../common/actor.ts'
import { lookUp } from '../common/look-up.ts'
import { isMine } from './select-ids.ts'

/** How those of one kind are read by their ids, and shown. */
export interface Shown {
  readonly select: (workspaceId: string, ids: readonly string[]) => RawBuilder<{ id: string }>
  readonly view: (actor: Actor, row: { id: string }) => Need
}

type Parts<Row extends { id: string }> = {
  select: (workspaceId: string, ids: readonly string[]) => RawBuilder<Row>
  view: (actor: Actor, row: Row) => Need
}

export function shown<Row extends { id: string }>({ select, view }: Parts<Row>): Shown {
  // what is viewed is what the same kind has selected
  return { select, view: (actor, row) => view(actor, row as Row) }
}

interface Waiting {
  id: string
  /** As it came, for it is named as no column is. */
  since: string
  addressed_to: string | null
}

/** What rows of all kinds have alike. A step is left out for who may not take it. */
export function viewAny<Kind extends NeedKind>(
  actor: Actor,
  kind: Kind,
  { id, since, addressed_to: addressedTo }: Waiting,
  next: NextStep,
) {
  return {
    kind,
    id,
    since: new Date(since).toISOString(),
    mine: isMine(actor, addressedTo),
    ...(isOffered(actor, next) && { next }),
  }
}

/** Over `p` and `m`. */
export const columnsOfMission = sql`
  p.id as project_id, p.slug as project_slug, m.id as mission_id, m.sequence, m.title as mission_title`

/** Over `p`, `m` and `o`. */
export const columnsOfObjective = sql`
  ${columnsOfMission}, o.id as objective_id, o.key, o.title as objective_title`

/** The missions and projects of rows of `o`. */
export const missionsOfObjectives = sql`
  cross join ${lookUp('missions', 'm', { of: 'o', id: 'mission_id', where: sql`t.deleted_at is null` })}
  cross join ${lookUp('projects', 'p', { of: 'm', id: 'project_id' })}`

export interface OfMission extends Waiting {
  project_id: string
  project_slug: string
  mission_id: string
  sequence: number
  mission_title: string
}

export interface OfObjective extends OfMission {
  objective_id: string
  key: string
  objective_title: string
}

export function nameOfMission({ project_slug, sequence }: OfMission): string {
  return `${project_slug}:${sequence}`
}

export function nameOfObjective(row: OfObjective): string {
  return `${nameOfMission(row)}.${row.key}`
}

export function viewMissionOf(row: OfMission) {
  return {
    project: { id: row.project_id, slug: row.project_slug },
    mission: { id: row.mission_id, displayId: nameOfMission(row), title: row.mission_title },
  }
}

export function viewObjectiveOf(row: OfObjective) {
  const { objective_id: id, objective_title: title } = row
  return { ...viewMissionOf(row), objective: { id, displayId: nameOfObjective(row), title } }
}

export const areNamed = (column: string, ids: readonly string[]) =>
  sql`${sql.ref(column)} = any(${ids}::uuid[])`

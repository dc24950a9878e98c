import type { MissionRow } from '@svc/db/tables'
import { recordChange } from './records.ts'
import type { UnitOfWork } from './unit-of-work.ts'

type Revised = Pick<MissionRow, 'workspace_id' | 'id' | 'project_id' | 'title' | 'revision'>

/** The mission's next revision, one for all that a transaction changes and records of it. Its lock is held. */
export function reviseMission(
  tx: UnitOfWork,
  { workspace_id, id, revision }: Pick<Revised, 'workspace_id' | 'id' | 'revision'>,
): number {
  const { pending } = tx
  const known = pending.revisions.get(id)
  if (known !== undefined) return known
  const next = revision + 1
  pending.revisions.set(id, next)
  pending.set('missions', { workspace_id, id }, { revision: next })
  return next
}

/** The same of what happened in the mission: whoever looks on hears its revision, where no change of its own says it. */
export function reviseByEvent(tx: UnitOfWork, mission: Revised): number {
  const isRevised = tx.pending.revisions.has(mission.id)
  const revision = reviseMission(tx, mission)
  if (!isRevised) recordChange(tx, { mission: { ...mission, revision } }, 'revise')
  return revision
}

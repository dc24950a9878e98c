import type { MissionRow } from '@svc/db/tables'
import type { UnitOfWork } from './unit-of-work.ts'

/** The mission's next revision, one for all that a transaction changes and records of it. Its lock is held. */
export function reviseMission(
  tx: UnitOfWork,
  { workspace_id, id, revision }: Pick<MissionRow, 'workspace_id' | 'id' | 'revision'>,
): number {
  const { pending } = tx
  const known = pending.revisions.get(id)
  if (known !== undefined) return known
  const next = revision + 1
  pending.revisions.set(id, next)
  pending.set('missions', { workspace_id, id }, { revision: next })
  return next
}

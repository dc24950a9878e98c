import type { Tx } from '@svc/db/database'
import type { MissionRow } from '@svc/db/tables'
import { carriedBy } from './transaction.ts'

/** The mission's next revision, one for all that a transaction changes and tells of it. Its lock is held. */
export function reviseMission(
  tx: Tx,
  { workspace_id, id, revision }: Pick<MissionRow, 'workspace_id' | 'id' | 'revision'>,
): number {
  const { revisions, rows } = carriedBy(tx).collected
  const known = revisions.get(id)
  if (known !== undefined) return known
  const next = revision + 1
  revisions.set(id, next)
  rows.set('missions', { workspace_id, id }, { revision: next })
  return next
}

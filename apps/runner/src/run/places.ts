import type { Prepared, PreparedOther } from '@svc/contracts/assignment'
import { findStep } from './journal.ts'
import type { Run } from './run.ts'

/** A working tree of the run, on its branch in one resource. */
export interface WorkPlace extends Pick<
  PreparedOther,
  'resourceKey' | 'workingDirectory' | 'branch' | 'startSha' | 'baseSha'
> {
  /** The one in which its agent began. */
  isOwn: boolean
}

/** Where the run works with Git, its own resource first; nowhere before it is prepared, and in a scratch folder. */
export function placesOf({ steps, order }: Pick<Run, 'steps' | 'order'>): WorkPlace[] {
  const prepared = findStep(steps(), 'prepared')
  const { resourceKey } = order.assignment.executionRequest
  return prepared === undefined || resourceKey === null ? [] : listPlaces(prepared, resourceKey)
}

function listPlaces(
  { workingDirectory, branch, startSha, baseSha, others }: Prepared,
  resourceKey: string,
): WorkPlace[] {
  const beside = others.map((one) => ({ ...one, isOwn: false }))
  if (branch === null || baseSha === null) return beside
  const own = { resourceKey, workingDirectory, branch, baseSha, isOwn: true }
  return [{ ...own, startSha: startSha ?? baseSha }, ...beside]
}

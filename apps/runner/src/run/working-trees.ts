import type { Prepared, PreparedOther } from '@svc/contracts/assignment'
import { findStep } from './journal.ts'
import type { Run } from './run.ts'

/** A working tree of the run, on its branch in one resource. */
export interface RunWorkingTree extends Pick<
  PreparedOther,
  'resourceKey' | 'workingDirectory' | 'branch' | 'startSha' | 'baseSha'
> {
  /** It is the one in which the agent was started. */
  isOwn: boolean
}

/** Where the run works with Git, its own resource first; nowhere before it is prepared, and in a scratch folder. */
export function workingTreesOf({ steps, order }: Pick<Run, 'steps' | 'order'>): RunWorkingTree[] {
  const prepared = findStep(steps(), 'prepared')
  const { resourceKey } = order.assignment.executionRequest
  return prepared === undefined || resourceKey === null
    ? []
    : listWorkingTrees(prepared, resourceKey)
}

function listWorkingTrees(
  { workingDirectory, branch, startSha, baseSha, others }: Prepared,
  resourceKey: string,
): RunWorkingTree[] {
  const otherTrees = others.map((one) => ({ ...one, isOwn: false }))
  if (branch === null || baseSha === null) return otherTrees
  const own = { resourceKey, workingDirectory, branch, baseSha, isOwn: true }
  return [{ ...own, startSha: startSha ?? baseSha }, ...otherTrees]
}

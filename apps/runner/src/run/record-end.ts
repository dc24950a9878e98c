import { findStep } from './journal.ts'
import type { Run } from './run.ts'

/** Once its last process has gone. What Git left locked before that moment nobody is at work on. */
export function recordEnd({
  steps,
  recordIfPossible,
}: Pick<Run, 'steps' | 'recordIfPossible'>): void {
  if (findStep(steps(), 'ended') !== undefined) return
  recordIfPossible({ step: 'ended', at: new Date().toISOString() })
}

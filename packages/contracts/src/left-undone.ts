import type { Objective } from './objective.ts'

/** Whether a mission that is closed leaves it undone; a blank draft says nothing that could be done. */
export function isLeftUndone({
  state,
  instruction,
}: Pick<Objective, 'state' | 'instruction'>): boolean {
  return state !== 'complete' && (state !== 'draft' || instruction.trim() !== '')
}

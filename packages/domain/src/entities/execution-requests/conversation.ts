import type { ExecutionRequestRow } from '@svc/db/tables'

/** A conversation that could not be gone on with is not tried again: the next try begins a new one. */
export function goesOnWithConversation({
  kind,
  attempt,
}: Pick<ExecutionRequestRow, 'kind' | 'attempt'>): boolean {
  return kind === 'resume' && attempt === 1
}

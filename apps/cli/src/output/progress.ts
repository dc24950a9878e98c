import type { ExecutionRequest } from '@svc/contracts/execution-request'

/** What the agent of a running run last said of how far it has come. */
export function progressOf({ outcome, progress }: ExecutionRequest): string | undefined {
  if (outcome !== 'running' || progress == null) return undefined
  const { percent, note } = progress
  const parts = [percent === null ? null : `${percent} %`, note]
  return parts.filter((part) => part !== null && part !== '').join(', ')
}

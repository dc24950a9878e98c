import type { ExecutionRequest } from '@svc/contracts/execution-request'

const notStarted: readonly string[] = ['queued', 'claimed', 'launching']

/** Why a run that was given back has not started yet, and what would end it. */
export function waitingFor({ status, lastRelease }: ExecutionRequest): string | undefined {
  if (lastRelease == null || !notStarted.includes(status)) return undefined
  return lastRelease.detail ?? lastRelease.reason
}

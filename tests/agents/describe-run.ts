import type { ExecutionRequest } from '@svc/contracts/execution-request'

/** What the service says of a run that could not start, in a word or two. */
export function describeExit({ status, failure, lastRelease }: ExecutionRequest): string {
  if (lastRelease !== null) return `released: ${lastRelease.reason}`
  return failure === null ? status : `failed: ${failure.code}`
}

import type { Assignment } from '@svc/contracts/runner'

/** A checkout, and how it is called in front of people who need not know where it lies. */
export interface Place {
  checkout: string
  name: string
}

export function placeOf(checkout: string, assignment: Assignment, runnerLabel: string): Place {
  const { resourceKey } = assignment.executionRequest
  return { checkout, name: `resource ${resourceKey} on ${runnerLabel}` }
}

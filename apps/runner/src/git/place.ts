import type { Assignment } from '@svc/contracts/assignment'

/** A checkout, and how it is called in front of people who need not know where it lies. */
export interface Place {
  checkout: string
  name: string
}

export function placeOf(checkout: string, assignment: Assignment, runnerLabel: string): Place {
  const { resourceKey } = assignment.executionRequest
  return { checkout, name: nameOfResource(resourceKey, runnerLabel) }
}

/** By which others know the checkout; its path is the owner's alone. */
export function nameOfResource(resourceKey: string | null, runnerLabel: string): string {
  return `resource ${resourceKey} on ${runnerLabel}`
}

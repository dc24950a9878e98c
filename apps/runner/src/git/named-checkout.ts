import type { Assignment } from '@svc/contracts/assignment'

/** The path of a checkout, and what it is called in messages to people who need not know that path. */
export interface NamedCheckout {
  checkout: string
  name: string
}

export function nameCheckout(
  checkout: string,
  assignment: Assignment,
  runnerLabel: string,
): NamedCheckout {
  const { resourceKey } = assignment.executionRequest
  return { checkout, name: nameOfResource(resourceKey, runnerLabel) }
}

/** The name by which others know the checkout; its path is the owner's alone. */
export function nameOfResource(resourceKey: string | null, runnerLabel: string): string {
  return `resource ${resourceKey} on ${runnerLabel}`
}

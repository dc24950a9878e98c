import type { NextStep, StepName } from '@svc/contracts/next-step'

/** Steps that are one call with an id, and what the thing is then. */
const rows = {
  resumeObjective: 'goes on',
  retryRunQueueEntry: 'is tried again',
  resumeRunQueue: 'goes on',
  enableWebhook: 'is enabled',
} as const satisfies { readonly [N in StepName]?: string }

type Simple = keyof typeof rows

/** How the step is taken in its row; undefined where it leads elsewhere or asks something. */
export function doneHere({ operation }: NextStep): { operation: Simple; done: string } | undefined {
  return isSimple(operation) ? { operation, done: rows[operation] } : undefined
}

/** What the step is of. */
export function stepIdOf({ params }: NextStep): string {
  return 'id' in params && typeof params.id === 'string' ? params.id : ''
}

function isSimple(operation: StepName): operation is Simple {
  return Object.hasOwn(rows, operation)
}

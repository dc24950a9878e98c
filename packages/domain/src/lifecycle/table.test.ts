import { ObjectiveState } from '@svc/contracts/states'
import { verifies } from '@svc/testing/verifies'
import { describe, expect, test } from 'vitest'
import { type ObjectiveTrigger, allows, objectiveLifecycle, requestLifecycle } from './table.ts'

/** Written from the design's table of the objective, and not from the code. */
const moves: Record<ObjectiveState, ObjectiveTrigger[]> = {
  draft: ['launch', 'attach', 'advance', 'awaitApproval', 'submit', 'queue', 'revive'],
  submitted: ['launch', 'attach', 'advance', 'awaitApproval', 'sendBack', 'revive', 'restore'],
  awaiting_approval: ['launch', 'attach', 'queue', 'sendBack', 'revive', 'restore'],
  launching: ['launch', 'attach', 'launchMissing', 'launchFail', 'launchCancel'],
  executing: ['ask', 'deliver', 'exit', 'lose', 'cancel'],
  complete: [],
}

describe('the lifecycle of an objective', () => {
  test(verifies('objective.states', 'knows the states of the specification and no other'), () => {
    expect(ObjectiveState.options.toSorted()).toEqual(Object.keys(moves).toSorted())
  })

  // Object.keys says string only; they are the keys of the object above
  test.each(Object.keys(moves) as ObjectiveState[])(
    'moves one that is %s by what it may',
    (state) => {
      const triggers = Object.keys(objectiveLifecycle) as ObjectiveTrigger[] // as above
      const allowed = triggers.filter((trigger) => allows(trigger, state))
      expect(allowed.toSorted()).toEqual(moves[state].toSorted())
    },
  )
})

describe('both tables', () => {
  test.each(Object.entries({ ...objectiveLifecycle, ...requestLifecycle }))(
    'name the row or the decision that %s comes from',
    (_trigger, transition) => {
      expect('row' in transition || 'decided' in transition).toBe(true)
    },
  )
})

import { ObjectiveState, QuestionStatus, RunState, SessionStatus } from '@svc/contracts/states'
import { verifies } from '@svc/testing/verifies'
import { describe, expect, test } from 'vitest'
import {
  type ObjectiveTrigger,
  type QuestionTrigger,
  allows,
  begins,
  objectiveLifecycle,
  questionLifecycle,
  requestLifecycle,
  sessionLifecycle,
} from './table.ts'

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

/** As above, of the question. */
const questionMoves: Record<QuestionStatus, QuestionTrigger[]> = {
  open: ['answer', 'withdraw', 'expire'],
  answered: ['take', 'withdraw', 'expire'],
  delivered: [],
  withdrawn: [],
  expired: [],
}

test.each(Object.entries(questionMoves))('a question that is %s moves by %j', (status, allowed) => {
  const rows = Object.entries<{ from: readonly string[] }>(questionLifecycle)
  const triggers = rows.flatMap(([trigger, { from }]) => (from.includes(status) ? [trigger] : []))
  expect(triggers.toSorted()).toEqual(allowed.toSorted())
})

describe('every table', () => {
  const tables = [
    [ObjectiveState, begins.objective, objectiveLifecycle],
    [RunState, begins.request, requestLifecycle],
    [SessionStatus, begins.session, sessionLifecycle],
    [QuestionStatus, begins.question, questionLifecycle],
  ] as const

  test.each(tables)('leads to each state', (states, begin, rows) => {
    const reached = Object.values<{ to: string; outcome?: string }>(rows).flatMap((row) => [
      row.to,
      row.outcome,
    ])
    expect(states.options.filter((one) => one !== begin && !reached.includes(one))).toEqual([])
  })

  test.each(tables.flatMap(([, , rows]) => Object.entries<object>(rows)))(
    'names the row or the decision that %s comes from',
    (_trigger, transition) => {
      expect('row' in transition || 'decided' in transition).toBe(true)
    },
  )
})

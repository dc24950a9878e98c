import type { EntryReason } from '@svc/contracts/run-queue'
import type { ProjectResourceRow } from '@svc/db/tables'
import { describe, expect, test } from 'vitest'
import { type EntryFacts, type Facts, planQueue } from './plan.ts'
import {
  type Queue,
  dispatch,
  grantTurn,
  requestAdvance,
  pauseBy,
  pauseFor,
  putOff,
  run,
} from '../../entities/run-queues/queue.ts'
import { queueOf } from '../testing.ts'

const objective = {
  blank: false,
  assigned_agent: 'claude',
  model: null,
  reasoning_effort: null,
  resource_key: null,
}
const unbounded = {
  budget_millionths: null,
  budget_tokens: null,
  budget_runs: null,
  launches: 1,
  used_runs: 1,
  used_runs_without_usd: 0,
  used_runs_without_tokens: 0,
  used_input_tokens: 40,
  used_output_tokens: 2,
  used_millionths: 1_500_000,
  used_seconds: 60,
}
const passes: EntryFacts = {
  objective,
  statusType: 'execute',
  busyWith: null,
  before: undefined,
  budgeted: unbounded,
  may: true,
}

function budgeted(bounds: Partial<EntryFacts['budgeted']>): Partial<EntryFacts> {
  return { budgeted: { ...unbounded, ...bounds } }
}

function resource(set: Partial<ProjectResourceRow> & { connected: boolean }) {
  const row = { resource_key: 'web', permission: 'rw', is_primary: true } as const
  // as much of the row as a target is chosen by
  return { ...row, ...set } as Facts['resources'][number]
}

function factsOf(facts: Record<string, Partial<EntryFacts>>, resources: Facts['resources'] = []) {
  const entries = Object.entries(facts).map(([id, own]) => [id, { ...passes, ...own }] as const)
  return { entries: new Map(entries), resources, telling: new Set<string>() }
}

function planned(queue: Queue, facts: Facts) {
  const plan = planQueue(queue, facts)
  const reasons = plan.queue.entries.map(({ id, state, reason }) => `${id} ${state} ${reason}`)
  return { next: plan.next?.entry.id ?? null, reasons }
}

const all = factsOf({ a: {}, b: {}, c: {} })

describe('next is', () => {
  const queue = queueOf('a', 'b', 'c')
  const granted = grantTurn(putOff(queue, 'c', 'run_lost'), 'c', 'alice')
  test.each<[string, Queue, string | null]>([
    ['nothing without a pending advance and without a granted turn', queue, null],
    ['the first entry, where an advance is pending', requestAdvance(queue), 'a'],
    ['the entry that was granted a turn, whether an advance is pending or not', granted, 'c'],
    ['the entry that was granted a turn before the first', requestAdvance(granted), 'c'],
    ['the first that is not held', requestAdvance(putOff(queue, 'a', 'run_failed')), 'b'],
    ['nothing while one is dispatched', dispatch(requestAdvance(queue), 'b', 'r'), null],
    ['nothing while one runs', requestAdvance(run(dispatch(queue, 'b', 'r'), 'b')), null],
    ['nothing while a person paused it', pauseBy(requestAdvance(granted), 'alice'), null],
    [
      'nothing while the end of a run paused it',
      pauseFor(requestAdvance(queue), 'run_lost', 'alice'),
      null,
    ],
    ['nothing of an empty queue', requestAdvance(queueOf()), null],
  ])('%s', (_, given, next) => {
    expect(planQueue(given, all).next?.entry.id ?? null).toBe(next)
  })
})

describe('an entry is passed over', () => {
  const connected = resource({ connected: true })
  const gone = resource({ connected: false })
  const readOnly = resource({ permission: 'ro', connected: true })
  const two = [connected, resource({ resource_key: 'api', connected: true })].map((one) => ({
    ...one,
    is_primary: false,
  }))
  test.each<[EntryReason, 'waiting' | 'held', Partial<EntryFacts>, Facts['resources']]>([
    ['forbidden', 'held', { may: false }, []],
    ['no_instruction', 'held', { objective: { ...objective, blank: true } }, []],
    ['no_agent', 'held', { objective: { ...objective, assigned_agent: null } }, []],
    ['mission_closed', 'held', { statusType: 'cancelled' }, []],
    ['mission_busy', 'waiting', { busyWith: 'another' }, []],
    ['budget_exhausted', 'held', budgeted({ budget_runs: 1 }), []],
    ['budget_exhausted', 'held', budgeted({ budget_tokens: 42 }), []],
    ['budget_exhausted', 'held', budgeted({ budget_millionths: 1_500_000 }), []],
    [
      'budget_unknown_cost',
      'held',
      {
        ...budgeted({ budget_millionths: 1_500_001 }),
        objective: { ...objective, assigned_agent: 'codex' },
      },
      [],
    ],
    ['no_resource', 'held', {}, two],
    ['resource_read_only', 'held', {}, [readOnly]],
    ['resource_not_connected', 'waiting', {}, [gone]],
  ])('for %s, %s', (reason, state, facts, resources) => {
    const { next, reasons } = planned(
      requestAdvance(queueOf('a')),
      factsOf({ a: facts }, resources),
    )
    expect({ next, reasons }).toEqual({ next: null, reasons: [`a ${state} ${reason}`] })
  })

  test('and those behind it are not', () => {
    const facts = factsOf({ a: { busyWith: 'another' }, b: { may: false }, c: {} })
    expect(planned(requestAdvance(queueOf('a', 'b', 'c')), facts)).toEqual({
      next: 'c',
      reasons: ['a waiting mission_busy', 'b held forbidden', 'c waiting turn'],
    })
  })

  test('until what was the matter has gone', () => {
    const queue = putOff(putOff(queueOf('a', 'b'), 'a', 'no_agent'), 'b', 'mission_busy')
    expect(planned(requestAdvance(queue), all)).toEqual({
      next: 'a',
      reasons: ['a waiting turn', 'b waiting turn'],
    })
  })

  test.each<EntryReason>(['run_failed', 'run_lost', 'run_exited', 'question_expired'])(
    'after %s until a person says so',
    (reason) => {
      const queue = putOff(queueOf('a'), 'a', reason)
      expect(planned(requestAdvance(queue), all)).toEqual({
        next: null,
        reasons: [`a held ${reason}`],
      })
    },
  )
})

describe('it is launched with', () => {
  const before = { agent: 'codex', model: 'big', reasoning_effort: 'high' }
  const choiceOf = (own: Partial<typeof objective>) => {
    const facts = factsOf({
      a: { objective: { ...objective, assigned_agent: null, ...own }, before },
    })
    return planQueue(requestAdvance(queueOf('a')), facts).next?.choice
  }
  test('agent, model and effort of the run before it in its mission, where it names none', () => {
    expect(choiceOf({})).toEqual({ agent: 'codex', model: 'big', reasoningEffort: 'high' })
  })
  test('model and effort of that run for the same agent alone', () => {
    expect(choiceOf({ assigned_agent: 'claude' })).toEqual({ agent: 'claude' })
  })
})

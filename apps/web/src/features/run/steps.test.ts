import type { ExecutionRequest } from '@svc/contracts/execution-request'
import type { MissionEvent } from '@svc/contracts/mission'
import { expect, test } from 'vitest'
import { stepsOf } from './steps.ts'

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1_000).toISOString()
// the parts that steps are made of
const run = (endedAt: string | null) =>
  ({
    id: 'r',
    createdAt: at(0),
    endedAt,
    status: 'launched',
    outcome: 'delivered',
    cancelRequestedAt: null,
  }) as ExecutionRequest
const event = (sequence: number, type: string, executionRequestId = 'r') =>
  ({
    id: `e${sequence}`,
    sequence,
    type,
    summary: type,
    createdAt: at(sequence),
    data: { executionRequestId },
  }) as unknown as MissionEvent

test('the steps of a run are its own, in order, with the time between them', () => {
  const events = [
    event(9, 'execution_claimed', 'another'),
    event(4, 'session_attached'),
    event(1, 'execution_claimed'),
  ]
  const steps = stepsOf(run(at(10)), events)
  expect(steps.map(({ of, seconds }) => [of.word, seconds])).toEqual([
    ['queued', undefined],
    ['claimed', 1],
    ['agent at work', 3],
    ['delivered', 6],
  ])
})

test('an end that the history tells is told once', () => {
  const steps = stepsOf(run(at(10)), [event(10, 'run_ended')])
  expect(steps.map(({ of }) => of.word)).toEqual(['queued', 'run ended'])
  expect(stepsOf(run(null), []).map(({ of }) => of.word)).toEqual(['queued'])
})

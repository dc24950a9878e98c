import type { ExecutionRequest } from '@svc/contracts/execution-request'
import type { MissionEvent, MissionEventType } from '@svc/contracts/mission'
import { wordsOfEvent } from '../../words/events.ts'
import { wordsOfRun } from '../../words/runs.ts'
import { type Wording, requestWords } from '../../words/states.ts'

/** A moment in the life of a run. */
export interface Step {
  key: string
  of: Pick<Wording, 'sign' | 'word' | 'tone'>
  at: string
  /** Since the step before. */
  seconds: number | undefined
  /** What the service says of it. */
  said: string | undefined
}

/** What of the history of a mission is about how a run came on. */
export const stepTypes = [
  'execution_claimed',
  'execution_released',
  'execution_launched',
  'execution_failed',
  'execution_cancelled',
  'branch_prepared',
  'session_attached',
  'session_lost',
  'session_revived',
  'cancel_requested',
  'cancel_superseded',
  'check_run',
  'run_ended',
] as const satisfies readonly MissionEventType[]

const endings: readonly string[] = ['execution_failed', 'execution_cancelled', 'run_ended']

/** In order, from the launch on. The run itself says when it was queued and when it ended, whatever the history has kept. */
export function stepsOf(run: ExecutionRequest, events: readonly MissionEvent[]): Step[] {
  const own = events
    .filter(({ data }) => data['executionRequestId'] === run.id)
    .toSorted((one, other) => one.sequence - other.sequence)
  const steps: Omit<Step, 'seconds'>[] = [
    { key: 'queued', of: requestWords.queued, at: run.createdAt, said: undefined },
    ...own.map(({ id, type, summary, data, createdAt }) => {
      const of = wordsOfEvent(type, data['outcome'])
      return { key: id, of, at: createdAt, said: summary }
    }),
  ]
  const isEndTold = own.some(({ type }) => endings.includes(type))
  if (run.endedAt !== null && !isEndTold) {
    steps.push({ key: 'ended', of: wordsOfRun(run), at: run.endedAt, said: undefined })
  }
  return steps.map((step, index) => {
    const before = steps[index - 1]
    const between = before && (Date.parse(step.at) - Date.parse(before.at)) / 1_000
    return { ...step, seconds: between === undefined ? undefined : Math.max(0, between) }
  })
}

import { isInFlight } from '@svc/contracts/run-queue'
import { allows } from '@svc/domain/states/table'
import { foreseeBudget } from './budgets.ts'
import { type Foreseen, type Outcome, hold } from './command.ts'
import { otherResource, primaryResource } from './stage.ts'
import {
  type Objective,
  type State,
  entryOf,
  found,
  isBusyFor,
  isClosedFor,
  isGone,
  liveRequestOf,
} from './state.ts'

/** An agent that no runner has is launched, too: its request waits. */
const choices = [
  { agent: 'scripted' },
  { agent: 'scripted' },
  { agent: 'scripted', model: 'large' },
  { agent: 'absent' },
  { agent: 'scripted', resourceKey: otherResource },
] as const
export function choiceOf(how: number) {
  return choices[how % choices.length] ?? choices[0]
}

export interface Choice {
  agent: string
  model?: string
  resourceKey?: string
  /** The run that is gone on with. */
  resumeOf?: string
}

function resourceFor(objective: Objective, choice: Choice): string {
  return choice.resourceKey ?? objective.resource ?? primaryResource
}

/** It is launched with this choice already: the same launch is answered again. */
export function isLaunchedSo(state: State, objective: Objective, choice: Choice): boolean {
  const live = liveRequestOf(state, objective)
  if (!live || live.cancelling || objective.state !== 'launching') return false
  const isSame =
    live.agent === choice.agent &&
    live.model === (choice.model ?? objective.model ?? null) &&
    live.resource === resourceFor(objective, choice)
  return isSame && live.resumeOf === (choice.resumeOf ?? null)
}

/** The refusals of a launch in their order. Decision 21. */
export function foreseeLaunch(state: State, objective: Objective, choice: Choice): Foreseen {
  if (isGone(state, objective)) return 'not_found'
  if (isLaunchedSo(state, objective, choice)) return undefined
  const live = liveRequestOf(state, objective)
  if (objective.blank) return 'objective_blank'
  if (isClosedFor(state, objective)) return 'objective_not_launchable'
  if (!allows('launch', objective.state)) return 'objective_not_launchable'
  if (live && live.status !== 'queued') return 'objective_not_launchable'
  if (isBusyFor(state, objective)) return 'mission_busy'
  return foreseeBudget(state, objective.mission, { agent: choice.agent, live })
}

/** One request stands for the launch, new unless the same launch was there; what waited in a queue waits no more. */
export function checkLaunched(outcome: Outcome, objective: Objective, choice: Choice): void {
  const { before, after, answer } = outcome
  const { id } = objective
  hold(found(after.objectives, id).state === 'launching', 'launch', 'it is not launching')
  // the answer of every launch
  const { executionRequest, reused } = answer as {
    executionRequest: { id: string }
    reused: boolean
  }
  const live = liveRequestOf(after, { id })
  hold(live?.id === executionRequest.id, 'I-05', 'the answer names another request')
  const resumeOf = choice.resumeOf ?? null
  hold(live.resumeOf === resumeOf, 'launch', 'it goes on with another run')
  const resource = resourceFor(objective, choice)
  hold(live.resource === resource, 'launch', `it works in ${live.resource} and not in ${resource}`)
  hold(found(after.objectives, id).resource === resource, 'launch', 'its resource was not kept')
  const isKnown = before.requests.some((one) => one.id === executionRequest.id)
  const isSame = isLaunchedSo(before, objective, choice)
  hold(isKnown === isSame, 'launch', 'the launch that it has was not answered again')
  hold(reused === isKnown, 'launch', 'reused is said wrongly')
  const was = entryOf(before, { id })
  if (was && !isInFlight(was)) hold(!entryOf(after, { id }), 'Q-04', 'the entry stayed')
}

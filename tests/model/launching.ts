import { allows } from '@svc/domain/lifecycle/table'
import type { Foreseen } from './command.ts'
import {
  type Objective,
  type State,
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
] as const
export function choiceOf(how: number) {
  return choices[how % choices.length] ?? choices[0]
}

interface Choice {
  agent: string
  model?: string
}

/** It is launched with this choice already: the same launch is answered again. */
export function isLaunchedSo(state: State, objective: Objective, choice: Choice): boolean {
  const live = liveRequestOf(state, objective)
  if (!live || live.cancelling || objective.state !== 'launching') return false
  const isSame =
    live.agent === choice.agent && live.model === (choice.model ?? objective.model ?? null)
  return isSame && live.resumeOf === null
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
  return isBusyFor(state, objective) ? 'mission_busy' : undefined
}

import { isNotStarted } from '@svc/contracts/states'
import { allows, allowsRequest } from '@svc/domain/states/table'
import { type Command, type Foreseen, command, hold } from './command.ts'
import { ofMission } from './affected.ts'
import type { Stage } from './stage.ts'
import {
  type Mission,
  type Objective,
  type Session,
  type State,
  activeIn,
  found,
  futureOf,
  isBusyFor,
  isClosedFor,
  isGone,
  liveRequestOf,
  liveSessionOf,
  newestRequestOf,
  objectiveOf,
  sessionOfRequest,
} from './state.ts'

type Held = Stage['leases'][number]

const attaches = {
  mission: ['attach'],
  objective: ['attach'],
  request: ['attach', 'supersede', 'takeOver'],
  session: ['supersede', 'ask', 'takeAnswer'],
  question: ['withdraw', 'take'],
} as const

/** A session key is given out once, to the agent that attached. */
function remember(stage: Stage, answer: { session: { id: string }; sessionKey: string }): object {
  stage.keys.set(answer.session.id, answer.sessionKey)
  return answer
}

function foreseeAttachable(state: State, one: Objective): Foreseen {
  if (isClosedFor(state, one)) return 'objective_not_launchable'
  const isOpen = one.state === 'executing' || allows('attach', one.state)
  return isOpen ? undefined : 'objective_not_launchable'
}

/** The launched agent, which names its run and generation. */
function foreseeLaunched(state: State, { lease }: Held): Foreseen {
  const request = found(state.requests, lease.id)
  const objective = objectiveOf(state, request)
  if (isGone(state, objective)) return 'not_found'
  const refused = foreseeAttachable(state, objective)
  if (refused) return refused
  // a person approves, and a runner is none
  if (objective.state === 'awaiting_approval') return 'forbidden'
  const isNewest = newestRequestOf(state, objective)?.id === request.id
  const isCurrent = isNewest && request.generation === lease.generation
  if (!isCurrent || !allowsRequest('attach', request)) return 'stale_execution'
  const session = liveSessionOf(state, objective)
  const isOwn = session?.request === request.id || session?.request === request.resumeOf
  if (session && (!isOwn || session.request === null)) return 'session_active'
  return objective.state !== 'executing' && isBusyFor(state, objective) ? 'mission_busy' : undefined
}

/** An agent that came by itself and names the objective. */
function foreseeAlone(state: State, objective: Objective, takesOver: boolean): Foreseen {
  if (isGone(state, objective)) return 'not_found'
  const refused = foreseeAttachable(state, objective)
  if (refused) return refused
  const session = liveSessionOf(state, objective)
  if (session && !takesOver && !isLinked(state, objective, session)) return 'session_active'
  return objective.state !== 'executing' && isBusyFor(state, objective) ? 'mission_busy' : undefined
}

/** It gets the live run that nobody has attached to, and so replaces a session of an earlier part of that run. */
export function isLinked(state: State, objective: Objective, session: Session): boolean {
  const live = liveRequestOf(state, objective)
  if (!live || live.status === 'queued' || live.status === 'claimed') return false
  if (sessionOfRequest(state, live) || session.request === null) return false
  return session.request === live.id || session.request === live.resumeOf
}

function checkAttached(state: State, { id, mission }: Objective): void {
  hold(found(state.objectives, id).state === 'executing', 'attach', 'it is not executing')
  hold(liveSessionOf(state, { id }) !== undefined, 'I-07', 'no session lives')
  const future = futureOf(state, mission)
  hold(future.length > 0, 'I-07', 'an attach left nothing that is still to start')
}

export const attachingCommands: Record<string, Command> = {
  attach: command({
    weight: 24,
    targets: ({ stage }) => stage.leases.toReversed(),
    foresee: ({ state }, held) => foreseeLaunched(state, held),
    moves: attaches,
    affects: ({ state }, { lease }) => [found(state.requests, lease.id).objective],
    keyed: true,
    call: async ({ stage }, { lease, runner }, _, options) =>
      remember(stage, await runner.agent(lease).attach({}, options)),
    expect: ({ after }, { lease }) =>
      checkAttached(after, objectiveOf(after, found(after.requests, lease.id))),
  }),
  attachAlone: command({
    weight: 3,
    targets: ({ state }) => state.objectives,
    foresee: ({ state }, objective, how) => foreseeAlone(state, objective, how % 2 === 0),
    moves: attaches,
    affects: (_, { id }) => [id],
    call: async ({ stage }, { id, mission }, how) => {
      const named = { agentIdentifier: 'alone', missionId: mission, objectiveId: id }
      const takeOver = how % 2 === 0
      return remember(stage, await stage.alice.protocol('attach', { ...named, takeOver }))
    },
    expect: ({ after }, objective) => checkAttached(after, objective),
  }),
  attachMission: command({
    weight: 2,
    targets: ({ state }) => state.missions,
    foresee: ({ state }, mission) => foreseePick(state, mission),
    moves: attaches,
    affects: ofMission,
    call: async ({ stage }, { id }) => {
      const named = { agentIdentifier: 'alone', missionId: id }
      return remember(stage, await stage.alice.protocol('attach', named))
    },
  }),
}

function foreseePick(state: State, mission: Mission): Foreseen {
  if (mission.deleted) return 'not_found'
  const active = activeIn(state, mission.id).filter((one) => !one.deleted)
  if (active.length > 1) return 'ambiguous_objective'
  const next = futureOf(state, mission.id).find((one) => isNotStarted(one.state) && !one.blank)
  const picked = active[0] ?? next
  if (!picked) return 'nothing_to_attach'
  if (isClosedFor(state, picked)) return 'objective_not_launchable'
  if (picked.state === 'awaiting_approval') return 'nothing_to_attach'
  return foreseeAlone(state, picked, false)
}

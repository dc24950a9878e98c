import { type StatusType, isLive, isNotStarted, objectiveStates } from '@svc/contracts/states'
import { type Command, type Foreseen, command, hold } from './command.ts'
import { itself, missions, objectives, ofMission } from './affected.ts'
import {
  type Objective,
  type State,
  activeIn,
  found,
  isGone,
  liveRequestOf,
  liveSessionOf,
  missionOf,
  objectiveOf,
} from './state.ts'

/** What a runner or an agent has of it: the list that is confirmed names it. */
const runOf = (state: State, objective: Objective): string | undefined => {
  if (!objectiveStates[objective.state].active) return undefined
  const live = liveRequestOf(state, objective)
  if (live?.status === 'queued' || live?.outcome === 'parked') return undefined
  return live?.id ?? liveSessionOf(state, objective)?.id
}

const runsOf = (state: State, named: readonly Objective[]): string[] =>
  named.map((one) => runOf(state, one)).filter((run) => run !== undefined)

/**
 * How a deletion is confirmed: without the list of what runs, with one from before something began to run, or with the
 * present one.
 */
const confirmations = ['none', 'old', 'right', 'right', 'right'] as const
const confirmationOf = (how: number) => confirmations[how % confirmations.length] ?? 'right'

function foreseeDeletion(state: State, named: readonly Objective[], how: number): Foreseen {
  const confirmation = confirmationOf(how)
  if (confirmation === 'none') return 'confirmation_required'
  const isOld = confirmation === 'old' && runsOf(state, named).length > 0
  return isOld ? 'confirmation_required' : undefined
}

function confirm(state: State, named: readonly Objective[], how: number) {
  const confirmation = confirmationOf(how)
  const running = confirmation === 'right' ? runsOf(state, named) : []
  return { confirm: confirmation !== 'none', running }
}

/** What ran is asked to end, and keeps its state until its end is reported. */
function checkEnding(before: State, after: State, named: readonly Objective[]): void {
  for (const one of named) {
    const run = runOf(before, one)
    const request = before.requests.find(({ id }) => id === run)
    if (!request) continue
    hold(found(after.requests, request.id).cancelling, 'I-16', 'a run was not asked to end')
    hold(found(after.objectives, one.id).state === one.state, 'I-16', 'its slot is free too early')
  }
}

const objectivesOf = (state: State, mission: string) =>
  state.objectives.filter((one) => one.mission === mission && !one.deleted)

const cancels = {
  objective: ['launchCancel', 'cancel'],
  request: ['cancel', 'cancelRun'],
  session: ['cancel'],
  question: ['withdraw'],
} as const

const closing: readonly StatusType[] = ['complete', 'cancelled']
const phases: readonly StatusType[] = ['execute', 'execute', 'draft', 'complete', 'cancelled']
const phaseOf = (how: number) => phases[how % phases.length] ?? 'execute'

export const endingCommands: Record<string, Command> = {
  cancelObjective: command({
    weight: 4,
    targets: objectives,
    foresee: ({ state }, one) => (isGone(state, one) ? 'not_found' : undefined),
    helps: (_, { state }) => objectiveStates[state].active,
    moves: cancels,
    affects: itself,
    call: ({ stage }, { id }) => stage.alice.call('cancelObjective', { id }),
    expect: ({ before, after }, { id }) => checkCancelled(before, after, id),
  }),
  cancelRun: command({
    weight: 2,
    targets: ({ state }) => state.requests,
    foresee: ({ state }, request) =>
      isGone(state, objectiveOf(state, request)) ? 'not_found' : undefined,
    helps: (_, request) => isLive(request) && !request.cancelling,
    moves: cancels,
    affects: (_, { objective }) => [objective],
    call: ({ stage }, { id }) => stage.alice.call('cancelExecutionRequest', { id }),
  }),
  deleteObjectives: command({
    weight: 3,
    targets: ({ state }) => state.objectives.map((one, index, all) => [one, all[index + 1] ?? one]),
    foresee: ({ state }, named, how) => {
      if (named.some((one) => isGone(state, one))) return 'not_found'
      return foreseeDeletion(state, named, how)
    },
    moves: cancels,
    affects: (_, named) => named.map(({ id }) => id),
    keyed: true,
    call: ({ stage, state }, named, how, options) => {
      const objectiveIds = [...new Set(named.map(({ id }) => id))]
      const sent = { objectiveIds, ...confirm(state, named, how) }
      return stage.alice.call('deleteObjectives', sent, options)
    },
    expect: ({ before, after }, named) => {
      const all = named.every(({ id }) => found(after.objectives, id).deleted)
      hold(all, 'I-16', 'not all that were named are deleted')
      checkEnding(before, after, named)
    },
  }),
  restoreObjective: command({
    weight: 2,
    targets: objectives,
    foresee: ({ state }, one) => {
      if (!one.restorable) return 'not_found'
      return missionOf(state, one).deleted ? 'invalid_transition' : undefined
    },
    helps: (_, { deleted }) => deleted,
    moves: { objective: ['restore'] },
    affects: itself,
    call: ({ stage }, { id }) => stage.alice.call('restoreObjective', { id }),
    expect: ({ after }, { id }) =>
      hold(!found(after.objectives, id).deleted, 'restore', 'it is not back'),
  }),
  deleteMission: command({
    weight: 1,
    targets: missions,
    foresee: ({ state }, mission, how) => {
      if (mission.deleted) return 'not_found'
      return foreseeDeletion(state, objectivesOf(state, mission.id), how)
    },
    moves: cancels,
    affects: ofMission,
    keyed: true,
    call: ({ stage, state }, { id }, how, options) => {
      const sent = { missionIds: [id], ...confirm(state, objectivesOf(state, id), how) }
      return stage.alice.call('deleteMissions', sent, options)
    },
    expect: ({ before, after }, { id }) => {
      hold(found(after.missions, id).deleted, 'I-16', 'it is not deleted')
      checkEnding(before, after, objectivesOf(before, id))
    },
  }),
  restoreMission: command({
    weight: 2,
    targets: missions,
    foresee: (_, { restorable }) => (restorable ? undefined : 'not_found'),
    helps: (_, { deleted }) => deleted,
    moves: { objective: ['restore'] },
    affects: ofMission,
    call: ({ stage }, { id }) => stage.alice.call('restoreMission', { id }),
    expect: ({ after }, { id }) =>
      hold(!found(after.missions, id).deleted, 'restore', 'it is not back'),
  }),
  moveMission: command({
    weight: 2,
    targets: missions,
    foresee: ({ state }, mission, how) => {
      if (mission.deleted) return 'not_found'
      const blocked = activeIn(state, mission.id).length > 0 && how < 5
      return blocked && closing.includes(phaseOf(how)) ? 'mission_active' : undefined
    },
    moves: { ...cancels, mission: ['move'] },
    affects: ofMission,
    keyed: true,
    call: ({ stage }, { id }, how, options) => {
      const statusId = stage.statuses.get(phaseOf(how)) ?? ''
      return stage.alice.call('moveMission', { id, statusId, cancelRunning: how >= 5 }, options)
    },
    expect: ({ after }, { id }, how) =>
      hold(found(after.missions, id).phase === phaseOf(how), 'move', 'it is in another status'),
  }),
}

function checkCancelled(before: State, after: State, id: string): void {
  const live = liveRequestOf(before, { id })
  const objective = found(after.objectives, id)
  if (live?.status === 'queued' || live?.outcome === 'parked') {
    hold(isNotStarted(objective.state), 'cancel', 'what nobody worked on is not back')
  } else if (live) {
    hold(found(after.requests, live.id).cancelling, 'cancel', 'the run was not asked to end')
  } else if (liveSessionOf(before, { id })) {
    hold(objective.state === 'submitted', 'cancel', 'what an agent worked on is not back')
  } else {
    const { state } = found(before.objectives, id)
    hold(objective.state === state, 'cancel', 'nothing worked on it, and it moved')
  }
}

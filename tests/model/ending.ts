import { type StatusType, isLive, isNotStarted, objectiveStates } from '@svc/contracts/states'
import { type Command, command, hold } from './command.ts'
import { itself, missions, objectives, ofMission } from './reach.ts'
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

const isRunning = (state: State, objective: Objective): boolean => {
  if (!objectiveStates[objective.state].active) return false
  const live = liveRequestOf(state, objective)
  return !live || !(live.status === 'queued' || live.outcome === 'parked')
}

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
    reach: itself,
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
    reach: (_, { objective }) => [objective],
    call: ({ stage }, { id }) => stage.alice.call('cancelExecutionRequest', { id }),
  }),
  deleteObjectives: command({
    weight: 3,
    targets: ({ state }) => state.objectives.map((one, index, all) => [one, all[index + 1] ?? one]),
    foresee: ({ state }, named, how) => {
      if (named.some((one) => isGone(state, one))) return 'not_found'
      if (how % 5 === 0) return 'confirmation_required'
      return named.some((one) => isRunning(state, one)) ? 'mission_active' : undefined
    },
    moves: cancels,
    reach: (_, named) => named.map(({ id }) => id),
    keyed: true,
    call: ({ stage }, named, how, options) => {
      const objectiveIds = [...new Set(named.map(({ id }) => id))]
      const confirm = how % 5 !== 0
      return stage.alice.call('deleteObjectives', { objectiveIds, confirm }, options)
    },
    expect: ({ after }, named) => {
      const all = named.every(({ id }) => found(after.objectives, id).deleted)
      hold(all, 'I-16', 'not all that were named are deleted')
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
    reach: itself,
    call: ({ stage }, { id }) => stage.alice.call('restoreObjective', { id }),
    expect: ({ after }, { id }) =>
      hold(!found(after.objectives, id).deleted, 'restore', 'it is not back'),
  }),
  deleteMission: command({
    weight: 1,
    targets: missions,
    foresee: ({ state }, mission, how) => {
      if (mission.deleted) return 'not_found'
      if (how % 5 === 0) return 'confirmation_required'
      const isBusy = activeIn(state, mission.id).some((one) => isRunning(state, one))
      return isBusy ? 'mission_active' : undefined
    },
    moves: cancels,
    reach: ofMission,
    keyed: true,
    call: ({ stage }, { id }, how, options) =>
      stage.alice.call('deleteMissions', { missionIds: [id], confirm: how % 5 !== 0 }, options),
    expect: ({ after }, { id }) =>
      hold(found(after.missions, id).deleted, 'I-16', 'it is not deleted'),
  }),
  restoreMission: command({
    weight: 2,
    targets: missions,
    foresee: (_, { restorable }) => (restorable ? undefined : 'not_found'),
    helps: (_, { deleted }) => deleted,
    moves: { objective: ['restore'] },
    reach: ofMission,
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
    reach: ofMission,
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
    hold(found(after.requests, live.id).cancelling, 'cancel', 'the run was not told to end')
  } else if (liveSessionOf(before, { id })) {
    hold(objective.state === 'submitted', 'cancel', 'what an agent worked on is not back')
  } else {
    const { state } = found(before.objectives, id)
    hold(objective.state === state, 'cancel', 'nothing worked on it, and it moved')
  }
}

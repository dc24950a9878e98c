import { isNotStarted } from '@svc/contracts/states'
import { allows } from '@svc/domain/states/table'
import { type Command, command, hold } from './command.ts'
import { checkLaunched, choiceOf, foreseeLaunch } from './launching.ts'
import { otherResource } from './stage.ts'
import { itself, missions, objectives, ofDeleted } from './affected.ts'
import { type State, entryOf, found, futureOf, isGone } from './state.ts'

export const planningCommands: Record<string, Command> = {
  createMission: command({
    weight: 4,
    targets: ({ state, stage }) => (state.missions.length < 3 ? [stage.projectId] : []),
    foresee: () => undefined,
    moves: {},
    affects: () => [],
    keyed: true,
    call: ({ stage }, projectId, how, options) =>
      stage.alice.call(
        'createMission',
        {
          projectId,
          title: 'A mission',
          allowParallelObjectives: how % 3 === 0,
          auto_advance: how % 2 === 0,
          objectives: Array.from({ length: how < 2 ? 1 : 2 + (how % 2) }, (_, index) => ({
            instruction: `step ${index}`,
            ...(how % 4 !== 0 && { assigned_agent: 'scripted' }),
          })),
        },
        options,
      ),
    expect: ({ before, after }) =>
      hold(after.missions.length === before.missions.length + 1, 'create', 'no mission was made'),
  }),
  addObjective: command({
    weight: 4,
    targets: missions,
    foresee: (_, mission) => ofDeleted(mission),
    moves: {},
    affects: () => [],
    keyed: true,
    call: ({ stage }, { id }, how, options) =>
      stage.alice.call(
        'addObjectives',
        { id, objectives: [{ instruction: how % 4 === 0 ? '' : 'one more' }] },
        options,
      ),
    expect: ({ before, after }) =>
      hold(after.objectives.length === before.objectives.length + 1, 'add', 'none was added'),
  }),
  edit: command({
    weight: 2,
    targets: objectives,
    foresee: ({ state }, one) => {
      if (isGone(state, one)) return 'not_found'
      return isNotStarted(one.state) ? undefined : 'invalid_transition'
    },
    moves: { objective: ['sendBack'] },
    affects: itself,
    keyed: true,
    call: ({ stage }, { id }, how, options) =>
      stage.alice.call(
        'updateObjective',
        {
          id,
          instruction: 'edited',
          assigned_agent: how % 2 === 0 ? 'scripted' : null,
          resource_key: how % 4 < 2 ? otherResource : null,
        },
        options,
      ),
  }),
  submit: command({
    weight: 2,
    targets: objectives,
    foresee: ({ state }, one) => {
      if (isGone(state, one)) return 'not_found'
      if (one.blank) return 'objective_blank'
      return allows('submit', one.state) ? undefined : 'invalid_transition'
    },
    moves: { objective: ['submit'] },
    affects: itself,
    keyed: true,
    call: ({ stage }, { id }, _, options) => stage.alice.call('submitObjective', { id }, options),
    expect: ({ after }, { id }) =>
      hold(found(after.objectives, id).state === 'submitted', 'submit', 'it is not submitted'),
  }),
  sendBack: command({
    weight: 2,
    targets: objectives,
    foresee: ({ state }, one) => {
      if (isGone(state, one)) return 'not_found'
      return allows('sendBack', one.state) ? undefined : 'invalid_transition'
    },
    moves: { objective: ['sendBack'] },
    affects: itself,
    keyed: true,
    call: ({ stage }, { id }, _, options) => stage.alice.call('sendBackObjective', { id }, options),
    expect: ({ after }, { id }) => {
      hold(found(after.objectives, id).state === 'draft', 'send back', 'it is no draft')
      hold(!entryOf(after, { id }), 'Q-10', 'what was sent back waits in a queue')
    },
  }),
  launch: command({
    weight: 12,
    targets: objectives,
    foresee: ({ state }, one, how) => foreseeLaunch(state, one, choiceOf(how)),
    moves: { objective: ['launch'], request: ['replace'] },
    affects: itself,
    keyed: true,
    call: ({ stage }, { id }, how, options) =>
      stage.alice.call('launchObjective', { id, ...choiceOf(how) }, options),
    expect: (outcome, objective, how) => checkLaunched(outcome, objective, choiceOf(how)),
  }),
  reorder: command({
    weight: 2,
    targets: missions,
    foresee: ({ state }, mission, how) => {
      if (mission.deleted) return 'not_found'
      return orderFor(state, mission.id, how).isWhole ? undefined : 'order_conflict'
    },
    moves: {},
    affects: () => [],
    call: ({ stage, state }, { id }, how) =>
      stage.alice.call('reorderFutureObjectives', {
        id,
        objectiveIds: orderFor(state, id, how).ids,
      }),
    expect: ({ before, after }, { id }, how) => {
      const now = futureOf(after, id).map((one) => one.id)
      const { ids } = orderFor(before, id, how)
      hold(now.join() === ids.join(), 'I-15', 'the order is another one')
    },
  }),
  toggle: command({
    weight: 4,
    targets: missions,
    foresee: (_, mission) => ofDeleted(mission),
    moves: {},
    affects: () => [],
    keyed: true,
    call: ({ stage }, { id, parallel, auto }, how, options) =>
      stage.alice.call(
        'updateMission',
        {
          id,
          ...(how % 2 === 0 ? { allowParallelObjectives: !parallel } : { auto_advance: !auto }),
        },
        options,
      ),
  }),
}

/** All that have not started, turned; or an order that is wrong in one of three ways. */
function orderFor(state: State, mission: string, how: number): { ids: string[]; isWhole: boolean } {
  const all = futureOf(state, mission).map(({ id }) => id)
  const [first] = all
  const started = state.objectives.find((one) => one.mission === mission && !all.includes(one.id))
  if (first === undefined || how === 0) return { ids: [mission], isWhole: false }
  if (how === 1 && all.length > 1) return { ids: all.slice(1), isWhole: false }
  if (how === 2 && started) return { ids: [...all, started.id], isWhole: false }
  return { ids: all.toReversed(), isWhole: true }
}

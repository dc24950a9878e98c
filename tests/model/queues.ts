import { isInFlight } from '@svc/contracts/run-queue'
import { isNotStarted } from '@svc/contracts/states'
import { type Command, type Foreseen, type Scene, command, hold } from './command.ts'
import { foreseeLaunch } from './launching.ts'
import {
  type Queue,
  type State,
  entryOf,
  found,
  isClosedFor,
  isGone,
  missionOf,
  objectiveOf,
} from './state.ts'

const queues = ({ state }: Scene) => state.queues
const entriesOf = (state: State, { id }: Queue) => state.entries.filter((one) => one.queue === id)

/** Also those that have gone. */
const entries = ({ stage, state }: Scene): string[] => {
  const live = state.entries.map(({ id }) => id)
  return [...live, ...[...stage.entries].filter((id) => !live.includes(id)).slice(-2)]
}

const entryNamed = (state: State, id: string) => state.entries.find((one) => one.id === id)

/** Which agent an entry is launched with: its own, or that of the last run that was delivered in its mission. */
function choiceFor(state: State, objectiveId: string): { agent: string } | undefined {
  const { agent, mission } = found(state.objectives, objectiveId)
  const before = state.requests.findLast(
    (one) => one.mission === mission && one.outcome === 'delivered',
  )
  const chosen = agent ?? before?.agent
  return chosen === undefined ? undefined : { agent: chosen }
}

function foreseeStart(state: State, queue: Queue): Foreseen {
  const all = entriesOf(state, queue)
  if (all.some(isInFlight)) return 'queue_busy'
  const first = all.find((one) => one.state === 'waiting')
  if (!first) return 'invalid_transition'
  const choice = choiceFor(state, first.objective)
  if (!choice) return 'no_agent'
  return foreseeLaunch(state, objectiveOf(state, first), choice)
}

export const queueCommands: Record<string, Command> = {
  createQueue: command({
    weight: 1,
    targets: ({ state, stage }) => (state.queues.length < 2 ? [stage.projectId] : []),
    foresee: () => undefined,
    moves: {},
    affects: () => [],
    keyed: true,
    call: ({ stage }, id, _, options) =>
      stage.alice.call('createRunQueue', { id, name: 'Another' }, options),
  }),
  queue: command({
    weight: 8,
    targets: ({ state }) => state.objectives,
    foresee({ state }, objective) {
      if (isGone(state, objective)) return 'not_found'
      const entry = entryOf(state, objective)
      if (entry) return isInFlight(entry) ? 'entry_in_flight' : undefined
      const isOpen = isNotStarted(objective.state) && !isClosedFor(state, objective)
      return isOpen ? undefined : 'objective_not_launchable'
    },
    moves: { objective: ['queue'] },
    affects: (_, { id }) => [id],
    keyed: true,
    call: ({ stage, state }, { id }, how, options) =>
      stage.alice.call(
        'queueObjective',
        {
          objectiveId: id,
          ...(how >= 4 && { queue: state.queues.at(-1)?.id ?? '' }),
          ...(how % 2 === 0 && { front: true }),
        },
        options,
      ),
    expect({ before, after }, { id }) {
      hold(found(after.objectives, id).state === 'submitted', 'queue', 'it is not submitted')
      hold(entryOf(after, { id }) !== undefined, 'queue', 'it is in no queue')
      const isMade = after.requests.length > before.requests.length
      hold(!isMade, 'Q-09', 'what was added to a queue was launched')
    },
  }),
  removeEntry: command({
    weight: 2,
    targets: entries,
    foresee({ state }, id) {
      const entry = entryNamed(state, id)
      if (!entry) return 'not_found'
      return isInFlight(entry) ? 'entry_in_flight' : undefined
    },
    moves: { objective: ['sendBack'] },
    affects: ({ state }) => state.objectives.map((one) => one.id),
    keyed: true,
    call: ({ stage }, id, _, options) => stage.alice.call('removeRunQueueEntry', { id }, options),
    expect: ({ after }, id) => hold(!entryNamed(after, id), 'remove', 'it is still in its queue'),
  }),
  retry: command({
    weight: 4,
    targets: entries,
    foresee({ state }, id) {
      const entry = entryNamed(state, id)
      if (!entry) return 'not_found'
      if (entry.state !== 'held') return 'invalid_transition'
      return found(state.queues, entry.queue).byPerson ? 'queue_paused' : undefined
    },
    moves: {},
    affects: () => [],
    keyed: true,
    call: ({ stage }, id, _, options) => stage.alice.call('retryRunQueueEntry', { id }, options),
    expect: ({ after }, id) =>
      hold(entryNamed(after, id)?.turn === true, 'retry', 'it was granted no turn'),
  }),
  start: command({
    weight: 4,
    targets: queues,
    foresee: ({ state }, queue) => foreseeStart(state, queue),
    moves: { objective: ['launch'] },
    affects: ({ state }, queue) => entriesOf(state, queue).map((one) => one.objective),
    keyed: true,
    call: ({ stage }, { id }, _, options) => stage.alice.call('startRunQueue', { id }, options),
    expect({ before, after }, queue) {
      const first = entriesOf(before, queue).find((one) => one.state === 'waiting')
      const now = first && entryNamed(after, first.id)
      hold(now?.state === 'dispatched', 'start', 'the first was not launched')
      hold(!found(after.queues, queue.id).paused, 'start', 'it is still paused')
    },
  }),
  pause: command({
    weight: 1,
    targets: queues,
    foresee: () => undefined,
    moves: {},
    affects: () => [],
    helps: (_, { paused }) => !paused,
    call: ({ stage }, { id }) => stage.alice.call('pauseRunQueue', { id }),
    expect: ({ after }, { id }) =>
      hold(found(after.queues, id).paused, 'pause', 'it is not paused'),
  }),
  resume: command({
    weight: 2,
    targets: queues,
    foresee: () => undefined,
    moves: {},
    affects: () => [],
    helps: (_, { paused }) => paused,
    call: ({ stage }, { id }) => stage.alice.call('resumeRunQueue', { id }),
    expect: ({ after }, { id }) => hold(!found(after.queues, id).paused, 'resume', 'it is paused'),
  }),
  orderEntries: command({
    weight: 1,
    targets: queues,
    helps: ({ state }, queue) => entriesOf(state, queue).length > 1,
    foresee: ({ state }, queue, how) => {
      return how === 0 && entriesOf(state, queue).length > 0 ? 'order_conflict' : undefined
    },
    moves: {},
    affects: () => [],
    keyed: true,
    call: ({ stage, state }, queue, how, options) => {
      const turned = entriesOf(state, queue)
        .map(({ id }) => id)
        .toReversed()
      const orderedEntryIds = how === 0 ? turned.slice(1) : turned
      return stage.alice.call('orderRunQueueEntries', { id: queue.id, orderedEntryIds }, options)
    },
    expect({ before, after }, queue) {
      const turned = entriesOf(before, queue)
        .map(({ id }) => id)
        .toReversed()
      const now = entriesOf(after, queue).map(({ id }) => id)
      hold(now.join() === turned.join(), 'Q-07', 'the order is another one')
    },
  }),
}

/** unpaused, with an advance pending or a turn given, nothing in flight, and an entry that could be launched. */
export function isPlannable(state: State, queue: Queue): boolean {
  if (queue.paused) return false
  const all = entriesOf(state, queue)
  if (all.some(isInFlight)) return false
  return all.some((entry) => {
    // a hold that only a retry ends is not looked into
    if (entry.state !== 'waiting' || (!queue.advancePending && !entry.turn)) return false
    const objective = objectiveOf(state, entry)
    const choice = choiceFor(state, objective.id)
    if (!choice || missionOf(state, objective).deleted) return false
    return foreseeLaunch(state, objective, choice) === undefined
  })
}

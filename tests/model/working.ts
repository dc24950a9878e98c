import { checksBefore } from '@svc/contracts/check'
import { isSessionOver } from '@svc/contracts/states'
import { isLinked } from './attaching.ts'
import { checkWithinBudget } from './budgets.ts'
import { type Command, type Foreseen, type Scene, command, hold } from './command.ts'
import { checkFiles, checkRationales, rationalesFor } from './evidence.ts'
import { ofMission } from './affected.ts'
import { checkTaken, verdictOf } from './checking.ts'
import {
  type Session,
  type State,
  activeIn,
  entryOf,
  found,
  futureOf,
  isBusyFor,
  isClosedFor,
  isGone,
  liveSessionOf,
  newestRequestOf,
  objectiveOf,
  pendingOf,
} from './state.ts'

const delivers = {
  mission: ['deliver'],
  objective: ['revive', 'deliver', 'launch', 'advance', 'awaitApproval'],
  request: ['revive', 'deliver', 'replace'],
  session: ['deliver'],
  question: ['withdraw', 'take'],
} as const

/** Whether a session belongs to the present generation of its objective's newest run, or is newer than any run. */
function isCurrent(state: State, session: Session): boolean {
  const newest = newestRequestOf(state, { id: session.objective })
  if (!newest) return true
  if (session.request === null) return session.seq > newest.seq
  return session.request === newest.id && session.generation === newest.generation
}

function foreseeOver(state: State, session: Session): Foreseen {
  if (isGone(state, objectiveOf(state, session))) return 'not_found'
  return foreseeOf(state, session)
}

function foreseeOf(state: State, session: Session): Foreseen {
  if (!isCurrent(state, session)) return 'stale_execution'
  return isSessionOver(session) ? 'session_ended' : undefined
}

/** Any call but a delivery: a lost session goes on where it can. */
export function foreseeCall(state: State, session: Session): Foreseen {
  const over = foreseeOver(state, session)
  const objective = objectiveOf(state, session)
  if (over || session.status !== 'lost' || objective.state === 'executing') return over
  if (isClosedFor(state, objective)) return 'objective_not_launchable'
  return isBusyFor(state, objective) ? 'mission_busy' : undefined
}

export const sessions = ({ stage, state }: Scene) => {
  return state.sessions.filter(({ id }) => stage.keys.has(id)).toReversed()
}
export const keyOf = ({ stage }: Scene, { id }: Session) => stage.keys.get(id) ?? ''
const speaks = {
  objective: ['revive'],
  request: ['revive'],
  session: ['hear', 'revive', 'takeAnswer'],
  question: ['take'],
} as const

function checkDelivered(after: State, { id, objective }: Session): void {
  hold(found(after.objectives, objective).state === 'complete', 'I-08', 'it is not complete')
  const made = after.deliveries.filter((one) => one.session === id)
  hold(made.length === 1, 'I-08', `the session has ${made.length} deliveries`)
}

/** I-23. What is next is launched, or waits for a person; unless its queue or what is active decides. Rows 9 and 10. */
function checkAdvanced(
  before: State,
  after: State,
  { objective, mission }: Pick<Session, 'objective' | 'mission'>,
): void {
  checkWithinBudget(before, after)
  if (found(before.objectives, objective).state === 'complete') return
  const next = futureOf(before, mission).find((one) => !one.blank && one.id !== objective)
  if (!next || entryOf(before, next)) return
  const others = activeIn(before, mission).some((one) => one.id !== objective)
  const { parallel, auto } = found(before.missions, mission)
  const { state } = found(after.objectives, next.id)
  const isDeleted = isGone(before, found(before.objectives, objective))
  const isLeft = isDeleted || (others && !parallel)
  const isFine = isLeft
    ? state === next.state
    : state === 'awaiting_approval' || (auto && state === 'launching')
  hold(isFine, 'I-23', `after the delivery what was next is ${state}`)
}

const neverChecked = ({ check }: State['requests'][number]) => check === null

export const workingCommands: Record<string, Command> = {
  update: command({
    weight: 5,
    targets: sessions,
    foresee: ({ state }, session) => foreseeCall(state, session),
    moves: speaks,
    affects: (_, { objective }) => [objective],
    keyed: true,
    call: (scene, session, how, options) => {
      const changeRationales = rationalesFor(how, `step ${how}`)
      const said = { sessionKey: keyOf(scene, session), text: 'A step is done.', changeRationales }
      return scene.stage.alice.protocol('update', said, options)
    },
    expect(outcome, session, how) {
      const { state } = found(outcome.after.objectives, session.objective)
      hold(state === 'executing', 'update', 'it does not go on')
      checkRationales(outcome, session, { how, why: `step ${how}`, delivered: false })
    },
  }),
  heartbeat: command({
    weight: 2,
    targets: sessions,
    foresee: ({ state }, session) => foreseeCall(state, session),
    moves: speaks,
    affects: (_, { objective }) => [objective],
    call: (scene, session) =>
      scene.stage.alice.protocol('heartbeat', { sessionKey: keyOf(scene, session) }),
  }),
  ask: command({
    weight: 9,
    targets: sessions,
    foresee({ state }, session, how) {
      const refused = foreseeCall(state, session)
      const pending = pendingOf(state, session)
      if (refused || !pending || how % 3 === 0) return refused
      return pending.status === 'answered' ? { maybe: ['done', 'question_open'] } : 'question_open'
    },
    moves: {
      objective: ['revive', 'ask'],
      request: ['revive'],
      session: ['hear', 'revive', 'ask', 'takeAnswer'],
      question: ['withdraw', 'take'],
    },
    affects: (_, { objective }) => [objective],
    keyed: true,
    call: (scene, session, how, options) =>
      scene.stage.alice.protocol(
        'ask',
        {
          sessionKey: keyOf(scene, session),
          question: 'Tabs or spaces?',
          supersede: how % 3 === 0,
          waitSeconds: 0,
        },
        options,
      ),
    expect({ after }, { id }) {
      const session = found(after.sessions, id)
      hold(session.status === 'waiting_answer', 'ask', 'the session does not wait')
      hold(pendingOf(after, session)?.status === 'open', 'ask', 'no question is open')
    },
  }),
  deliver: command({
    weight: 10,
    targets: sessions,
    foresee({ state }, session, how) {
      const isAgain = session.endReason === 'delivered' && how % 4 !== 0
      if (isAgain) return undefined
      const objective = objectiveOf(state, session)
      const { refusal } = verdictOf(state, session)
      if (!isGone(state, objective)) return foreseeOver(state, session) ?? refusal
      // one that comes before the end of a cancelled run wins
      if (objective.state !== 'executing') return 'not_found'
      return foreseeOf(state, session)
    },
    helps: (_, session) => !isSessionOver(session),
    // a refusal leaves its trace
    traces: { by: ['check_running', 'check_failed'], into: ['execution_requests'] },
    moves: delivers,
    affects: (scene, { mission }) => ofMission(scene, { id: mission }),
    keyed: true,
    call: (scene, session, how, options) => {
      const isAgain = session.endReason === 'delivered' && how % 4 === 0
      const summary = isAgain ? 'Something else.' : 'Done and checked.'
      const sessionKey = keyOf(scene, session)
      const changeRationales = rationalesFor(0, summary)
      const said = { sessionKey, summary, changeRationales }
      // one that waits for its checks is the same call each time
      const isKeyed = scene.state.checks.length === 0 && scene.state.requests.every(neverChecked)
      return scene.stage.alice.protocol('deliver', said, isKeyed ? options : {})
    },
    expect(outcome, session) {
      const { before, after, answer } = outcome
      checkDelivered(after, session)
      checkFiles(outcome, session)
      checkRationales(outcome, session, { how: 0, why: 'Done and checked.', delivered: true })
      checkAdvanced(before, after, session)
      checkTaken(outcome, session, verdictOf(before, session).taken)
      const known = before.deliveries.find((one) => one.session === session.id)
      // the answer of this operation
      const { deliveryId } = answer as { deliveryId: string }
      hold(!known || known.id === deliveryId, 'I-24', 'a repeated delivery became another one')
    },
  }),
  recordWork: command({
    weight: 2,
    targets: ({ state }) => state.objectives,
    foresee({ state }, objective) {
      if (isGone(state, objective)) return 'not_found'
      // who recorded it may repeat it, and is answered so in other words
      if (objective.state === 'complete') {
        return { maybe: ['objective_not_launchable', 'session_ended', 'stale_execution', 'done'] }
      }
      if (isClosedFor(state, objective)) return 'objective_not_launchable'
      const session = liveSessionOf(state, objective)
      if (!session || isLinked(state, objective, session)) return undefined
      return 'session_active'
    },
    helps: (_, { state }) => state !== 'complete',
    moves: {
      mission: delivers.mission,
      objective: ['attach', ...delivers.objective],
      request: ['attach', 'supersede', 'takeOver', ...delivers.request],
      session: ['supersede', 'deliver'],
      question: ['withdraw'],
    },
    affects: (scene, { mission }) => ofMission(scene, { id: mission }),
    keyed: true,
    call: ({ stage }, { id, mission }, _, options) =>
      stage.bob.protocol(
        'record-work',
        { missionId: mission, objectiveId: id, summary: 'Done by hand.' },
        options,
      ),
    expect(outcome, { id, mission }) {
      const { before, after } = outcome
      hold(found(after.objectives, id).state === 'complete', 'I-08', 'it is not complete')
      checkFiles(outcome, { objective: id })
      checkAdvanced(before, after, { objective: id, mission })
      const { check } = found(before.objectives, id)
      const isChecked = checksBefore(before.checks, check).length > 0
      checkTaken(outcome, { objective: id, mission }, isChecked ? 'not_run' : null)
    },
  }),
}

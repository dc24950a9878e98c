import { type Command, type Foreseen, type Outcome, command, hold } from './command.ts'
import { type Choice, checkLaunched, foreseeLaunch } from './launching.ts'
import { itself, objectives } from './affected.ts'
import {
  type Objective,
  type Question,
  type Request,
  type State,
  found,
  isGone,
  liveRequestOf,
  newestRequestOf,
  objectiveOf,
  pendingOf,
  sessionOfRequest,
} from './state.ts'

/** The newest run that was lost or ended without a delivery, unless an agent came by itself after it. */
function stoppedOf(state: State, { id }: Objective): Request | undefined {
  const isStopped = ({ status, outcome }: Request) =>
    status === 'launched' && (outcome === 'lost' || outcome === 'exited')
  const stopped = state.requests.findLast((one) => one.objective === id && isStopped(one))
  const alone = state.sessions.findLast((one) => one.objective === id && one.request === null)
  return stopped && alone && alone.seq > stopped.seq ? undefined : stopped
}

/** Whether it can be gone on with: nothing came after it, or what goes on with it has not begun. */
function resumableOf(state: State, objective: Objective): Request | undefined {
  const stopped = stoppedOf(state, objective)
  const { outcome } = objective
  if (outcome === 'lost' || outcome === 'exited') return stopped
  const run = liveRequestOf(state, objective) ?? newestRequestOf(state, objective)
  const goesOn = run?.resumeOf === stopped?.id && run?.status !== 'launched'
  return goesOn ? stopped : undefined
}

function choiceWith({ id, agent, model, resource }: Request): Choice {
  return {
    agent,
    ...(model !== null && { model }),
    ...(resource !== null && { resourceKey: resource }),
    resumeOf: id,
  }
}

/** What a limit, or whatever its runner said, keeps waiting goes on now. */
function heldOf(state: State, objective: Objective): Request | undefined {
  const live = liveRequestOf(state, objective)
  const isWaiting = live?.status === 'queued' && objective.state === 'executing'
  if (!isWaiting) return undefined
  return live.source === 'limit' || live.givenBackUntil ? live : undefined
}

function foreseeResume(state: State, objective: Objective): Foreseen {
  if (isGone(state, objective)) return 'not_found'
  if (heldOf(state, objective)) return undefined
  const stopped = resumableOf(state, objective)
  if (!stopped) return 'objective_not_launchable'
  return foreseeLaunch(state, objective, choiceWith(stopped))
}

/** A run whose agent ended before it got its answer: that is waited for, or it is there and the work goes on. */
export function checkParked({ before, after }: Outcome, was: Request): void {
  const session = sessionOfRequest(before, was)
  const question = session && pendingOf(before, session)
  if (!question || was.outcome !== 'running' || was.cancelling) return
  if (question.status === 'answered') return checkWoken(after, was)
  hold(found(after.requests, was.id).outcome === 'parked', 'park', 'its question is not waited for')
}

function checkWoken(after: State, { id, objective }: Request): void {
  hold(found(after.requests, id).outcome === 'exited', 'answer', 'the parked run is not over')
  const live = liveRequestOf(after, { id: objective })
  const goesOn = live?.kind === 'resume' && live.resumeOf === id && live.status === 'queued'
  hold(goesOn, 'answer', 'the parked run does not go on')
  const { state } = found(after.objectives, objective)
  hold(state === 'executing', 'answer', 'what goes on is executing no more')
}

export const resumingCommands: Record<string, Command> = {
  answer: command({
    weight: 10,
    targets: ({ state }) => state.questions,
    foresee: ({ state }, question) => {
      if (isGone(state, objectiveOf(state, question))) return 'not_found'
      if (question.status === 'open') return undefined
      const isAnswered = question.status === 'answered' || question.status === 'delivered'
      return isAnswered ? 'already_answered' : 'question_closed'
    },
    moves: { request: ['resume'], question: ['answer'] },
    affects: (_, { objective }) => [objective],
    keyed: true,
    call: ({ stage }, { id }, _, options) =>
      stage.alice.call('answerQuestion', { id, text: 'Spaces.' }, options),
    expect: ({ before, after }, question) => {
      hold(
        found(after.questions, question.id).status === 'answered',
        'answer',
        'it is not answered',
      )
      const parked = parkedFor(before, question)
      if (parked) checkWoken(after, parked)
    },
  }),
  goOn: command({
    weight: 8,
    targets: objectives,
    foresee: ({ state }, one) => foreseeResume(state, one),
    moves: { objective: ['launch'], request: ['replace'] },
    affects: itself,
    keyed: true,
    call: ({ stage }, { id }, _, options) => stage.alice.call('resumeObjective', { id }, options),
    expect(outcome, objective) {
      const held = heldOf(outcome.before, objective)
      if (held) {
        const { held: waits, left, status } = found(outcome.after.requests, held.id)
        hold(status === 'queued' && !waits && left.length === 0, 'resume', 'it still waits')
        return
      }
      const stopped = resumableOf(outcome.before, objective)
      hold(stopped !== undefined, 'resume', 'there was nothing to go on with')
      checkLaunched(outcome, objective, choiceWith(stopped))
    },
  }),
}

function parkedFor(state: State, { objective }: Question): Request | undefined {
  const live = liveRequestOf(state, { id: objective })
  return live?.outcome === 'parked' ? live : undefined
}

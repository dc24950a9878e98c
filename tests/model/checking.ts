import { type CheckResult, checksBefore } from '@svc/contracts/check'
import type { CheckOutcome } from '@svc/contracts/check'
import { isInFlight } from '@svc/contracts/run-queue'
import { isNotStarted } from '@svc/contracts/states'
import { type Command, type Foreseen, type Outcome, type Scene, command, hold } from './command.ts'
import { itself, objectives } from './affected.ts'
import type { Stage } from './stage.ts'
import {
  type Attempt,
  type Checked,
  type Objective,
  type Session,
  type State,
  entryOf,
  found,
  futureOf,
  isGone,
  objectiveOf,
} from './state.ts'

type Held = Stage['leases'][number]

/** What a project has checked, in turn: nothing to begin with. */
const settings = [{ test: { command: 'npm test' } }, {}] as const

const isChecked = (state: State, { check }: Objective) =>
  checksBefore(state.checks, check).length > 0

/** What a delivery is taken with, or refused with; every call of a session is the same call, since it has no key. */
interface Verdict {
  refusal?: 'check_running' | 'check_failed'
  taken: Checked | null
}

export function verdictOf(state: State, session: Session): Verdict {
  const objective = objectiveOf(state, session)
  if (!isChecked(state, objective)) return { taken: null }
  const request = session.request === null ? undefined : found(state.requests, session.request)
  const attempt = request?.check ?? undefined
  const isThere = request?.leased === true && !request.cancelling && !isGone(state, objective)
  if (attempt?.outcome && !attempt.refused) return verdictOn(attempt, isThere)
  const isSilent = attempt?.outcome === null && attempt.overdue
  if (!isThere || isSilent) return { taken: 'not_run' }
  return { refusal: 'check_running', taken: null }
}

function verdictOn({ outcome, failures }: Attempt, isThere: boolean): Verdict {
  const isFirst = outcome === 'failed' && failures === 0 && isThere
  return isFirst ? { refusal: 'check_failed', taken: null } : { taken: outcome }
}

/** A delivery says what its checks came to, and one without a passed check starts nothing. */
export function checkTaken(
  { before, after }: Outcome,
  { id, objective, mission }: Pick<Session, 'objective' | 'mission'> & { id?: string },
  taken: Checked | null,
): void {
  if (found(before.objectives, objective).state === 'complete') return
  const made = after.deliveries.find((one) => one.objective === objective)
  hold(made?.checks === taken, 'checks', `its checks are ${made?.checks} and not ${taken}`)
  if (taken === null || taken === 'passed') return
  const isMade = after.requests.length > before.requests.length
  hold(!isMade, 'checks', `${id ?? objective} was delivered unchecked, and something was launched`)
  for (const queue of after.queues) {
    const was = before.queues.find((one) => one.id === queue.id)
    const isNew = queue.advancePending && was?.advancePending === false
    hold(!isNew, 'checks', 'an advance is pending after a delivery without a passed check')
  }
  const next = futureOf(before, mission).find((one) => !one.blank && one.id !== objective)
  const entry = next && entryOf(before, next)
  if (!entry || isInFlight(entry) || isGone(before, objectiveOf(before, { objective }))) return
  const now = entryOf(after, next)
  hold(now?.state === 'held', 'checks', `what is next in its queue is ${now?.state}`)
}

/** What a runner says of an attempt, by turns: that it has begun, and each of what may come of it. */
const said: readonly (CheckOutcome | 'begun')[] = ['failed', 'passed', 'begun', 'failed', 'not_run']
const saidAt = (how: number) => said[how % said.length] ?? 'passed'
/** Now and then of one that nobody has asked for. */
const attemptFor = (attempt: Attempt | null | undefined, how: number) =>
  (attempt?.number ?? 1) + (how === 6 ? 1 : 0)

function resultOf(outcome: CheckOutcome): CheckResult {
  return {
    name: 'test',
    outcome,
    exitCode: outcome === 'passed' ? 0 : null,
    seconds: 1,
    output: '',
  }
}

const attemptOf = (state: State, { lease }: Held) => found(state.requests, lease.id).check

/** The report is of the attempt that is waited for. */
function counts(state: State, held: Held, how: number): boolean {
  const request = found(state.requests, held.lease.id)
  const attempt = request.check
  const isOpen = attempt !== null && attempt.outcome === null
  return isOpen && request.outcome === 'running' && !request.ended && how !== 6
}

export const checkingCommands: Record<string, Command> = {
  setChecks: command({
    weight: 2,
    targets: ({ stage }) => [stage.projectId],
    foresee: () => undefined,
    moves: {},
    affects: () => [],
    keyed: true,
    call: ({ stage }, id, how, options) => {
      const checks = settings[how < 6 ? 0 : 1]
      return stage.alice.call('updateLaunchSettings', { id, checks }, options)
    },
    expect: ({ after }, _, how) =>
      hold(after.checks.join() === (how < 6 ? 'test' : ''), 'checks', 'they were not set'),
  }),
  chooseCheck: command({
    weight: 1,
    targets: objectives,
    foresee({ state }, one, how): Foreseen {
      if (isGone(state, one)) return 'not_found'
      // one that is named has to be there, and that is asked first
      if (how === 0 && !state.checks.includes('test')) return 'validation_failed'
      return isNotStarted(one.state) ? undefined : 'invalid_transition'
    },
    moves: { objective: ['sendBack'] },
    affects: itself,
    keyed: true,
    call: ({ stage }, { id }, how, options) => {
      const check = how === 0 ? 'test' : how < 3 ? 'none' : null
      return stage.alice.call('updateObjective', { id, check }, options)
    },
  }),
  reportCheck: command({
    weight: 12,
    targets: ({ stage }: Scene) => stage.leases.toReversed(),
    foresee({ state }, { lease }) {
      const { generation } = found(state.requests, lease.id)
      return generation === lease.generation ? undefined : 'lease_lost'
    },
    helps: ({ state }, held) => attemptOf(state, held)?.outcome === null,
    moves: {},
    affects: () => [],
    call: ({ state }, held, how) => {
      const { id, leaseToken } = held.lease
      const outcome = saidAt(how)
      const tree = { commit: null, dirty: false, changed: false }
      return held.runner.call('reportCheck', {
        id,
        leaseToken,
        attempt: attemptFor(attemptOf(state, held), how),
        ...(outcome !== 'begun' && { report: { ...tree, results: [resultOf(outcome)] } }),
      })
    },
    expect({ before, after }, held, how) {
      const [was, now] = [attemptOf(before, held), attemptOf(after, held)]
      const outcome = saidAt(how)
      if (!counts(before, held, how)) {
        const isSame = was?.outcome === now?.outcome && was?.begun === now?.begun
        return hold(isSame, 'checks', 'a report that nobody waited for changed something')
      }
      if (outcome === 'begun') return hold(now?.begun === true, 'checks', 'it has not begun')
      hold(now?.outcome === outcome, 'checks', `it is ${now?.outcome} and not ${outcome}`)
    },
  }),
}

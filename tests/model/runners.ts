import { allowsRequest } from '@svc/domain/states/table'
import type { RequestTrigger } from '@svc/domain/states/table'
import type { RouteOutput } from '@svc/contracts/rest'
import { isClosed } from '@svc/contracts/states'
import { leaseOf } from '@svc/domain/testing/runner'
import { usageFor } from './budgets.ts'
import {
  type Command,
  type Foreseen,
  type Moves,
  type Outcome,
  type Scene,
  command,
  hold,
} from './command.ts'
import { checkParked } from './resuming.ts'
import type { Machine, Stage } from './stage.ts'
import {
  type Request,
  type State,
  found,
  isGone,
  liveRequestOf,
  missionOf,
  newestRequestOf,
  objectiveOf,
  pendingOf,
  sessionOfRequest,
} from './state.ts'

type Held = Stage['leases'][number]

const leases = ({ stage }: Scene) => stage.leases.toReversed()
const affectedBy = ({ state }: Scene, { lease }: Held) => [
  found(state.requests, lease.id).objective,
]

/** The oldest that this runner can take. Nobody else claims meanwhile, so the order is exact. */
function nextFor(state: State, { id, runner, resources }: Machine): Request | undefined {
  return state.requests.find((one) => {
    const mission = missionOf(state, one)
    const isOpen = !mission.deleted && !isClosed(mission.phase)
    const isItsOwn = one.onlyDevice === null || one.onlyDevice === runner.fingerprint
    const hasIt = one.resource === null || resources.includes(one.resource)
    const isReady = one.status === 'queued' && !one.held && !one.left.includes(id)
    return isReady && isOpen && isItsOwn && hasIt && one.agent === 'scripted'
  })
}

/** As it was, but for a wait of this request that has ended since: a claim changes none, so time has ended it. */
function withoutWaitOver(before: State, { id, held, left }: Request): State {
  const requests = before.requests.map((one) => {
    if (one.id !== id) return one
    return { ...one, held: one.held && held, left: one.left.filter((by) => left.includes(by)) }
  })
  return { ...before, requests }
}

/** What every report is asked first: whether it holds the lease. */
function fenced(state: State, { lease }: Held, then: (request: Request) => Foreseen): Foreseen {
  const request = found(state.requests, lease.id)
  return request.generation === lease.generation ? then(request) : 'lease_lost'
}

/** A report of the launch's progress: `again` is where it finds its work done. */
function progress(
  trigger: RequestTrigger,
  again: readonly Request['status'][],
): (scene: Scene, held: Held) => Foreseen {
  return ({ state }, held) =>
    fenced(state, held, (request) => {
      if (request.cancelling) return 'cancel_requested'
      const isFine = again.includes(request.status) || allowsRequest(trigger, request)
      return isFine ? undefined : 'invalid_transition'
    })
}

/** A report that ends the run; of one that is over it changes nothing. */
function ending(trigger: RequestTrigger): (scene: Scene, held: Held) => Foreseen {
  return ({ state }, held) =>
    fenced(state, held, (request) => {
      if (request.ended) return undefined
      const by = request.cancelling ? cancelOf(request) : trigger
      return allowsRequest(by, request) ? undefined : 'invalid_transition'
    })
}

const cancelOf = ({ status }: Request) => (status === 'launched' ? 'cancelRun' : 'cancel')

const isHeld = ({ state }: Scene, { lease }: Held) => {
  const { generation, ended } = found(state.requests, lease.id)
  return generation === lease.generation && !ended
}

const runEnds: Moves = {
  objective: ['launchFail', 'launchCancel', 'exit', 'cancel'],
  request: [
    'fail',
    'release',
    'requeue',
    'exhaust',
    'exit',
    'exitBeforeAttach',
    'hold',
    'park',
    'parkAtLimit',
    'resume',
    'cancel',
    'cancelRun',
  ],
  session: ['park', 'exit', 'cancel'],
  question: ['withdraw'],
}

const causes = ['agent', 'agent', 'agent', 'supervisor_lost'] as const
const reasons = ['network', 'checkout_busy', 'runner_draining', 'network'] as const

/** A provider that takes no work; some name the time at which they do again. */
const limits = [{ kind: 'quota' }, { kind: 'rate_limit' }, { kind: 'signed_out' }] as const

/** It costs no attempt, and no work: what nobody has attached to is queued again, and the rest goes on by itself. */
function checkHeld({ before, after }: Outcome, was: Request): void {
  const session = sessionOfRequest(before, was)
  const isAsking = session && pendingOf(before, session)
  if (was.cancelling || isAsking || (session && was.outcome !== 'running')) return
  const now = found(after.requests, was.id)
  if (!session) {
    hold(now.status === 'queued', 'hold', 'a limit ended a run that nobody has attached to')
    hold(now.attempt === was.attempt, 'hold', 'a limit cost an attempt')
    hold(now.left.length > 0, 'hold', 'its runner does not leave it alone')
    return
  }
  hold(now.outcome === 'exited' && now.ended, 'hold', 'the run that met a limit is not over')
  const live = liveRequestOf(after, { id: was.objective })
  const goesOn = live?.kind === 'resume' && live.resumeOf === was.id && live.status === 'queued'
  hold(goesOn, 'hold', 'the run that met a limit does not go on')
  hold(live.held, 'hold', 'it goes on before its time')
  hold(found(after.sessions, session.id).status === 'parked', 'hold', 'its session is not parked')
  const { state } = found(after.objectives, was.objective)
  hold(state === 'executing', 'hold', 'what goes on is executing no more')
}

export const runnerCommands: Record<string, Command> = {
  claim: command({
    weight: 14,
    targets: ({ stage }) => stage.runners,
    foresee: () => undefined,
    helps: ({ state }, machine) => nextFor(state, machine) !== undefined,
    moves: { request: ['claim'] },
    affects: ({ state }) => state.requests.map((one) => one.objective),
    async call({ stage }, { runner }) {
      const claimId = crypto.randomUUID()
      const answer = await runner.claim({ claimId })
      if (answer.request) stage.leases.push({ lease: leaseOf(answer), runner })
      // the same claim again gets the same lease, whatever the first answer came to
      if (answer.request) {
        const again = await runner.claim({ claimId })
        hold(again.leaseToken === answer.leaseToken, 'I-24', 'a repeated claim got another lease')
      }
      return answer
    },
    expect({ before, after, answer }, machine) {
      // the answer of this route
      const { request } = answer as RouteOutput<'claimExecutionRequest'>
      const taken = request?.executionRequest
      const seen = taken ? withoutWaitOver(before, found(after.requests, taken.id)) : before
      const expected = nextFor(seen, machine)
      hold(taken?.id === expected?.id, 'I-03', 'it is not the oldest that this runner can take')
      if (!taken || !expected) return
      const now = found(after.requests, taken.id)
      hold(now.status === 'claimed', 'claim', 'what was claimed is not claimed')
      hold(now.generation === expected.generation + 1, 'I-01', 'the generation is not the next one')
    },
  }),
  launching: command({
    weight: 24,
    targets: leases,
    foresee: progress('launching', ['launching', 'launched']),
    helps: ({ state }, { lease }) => found(state.requests, lease.id).status === 'claimed',
    moves: { request: ['launching'] },
    affects: affectedBy,
    call: (_, { lease, runner }) => runner.launching(lease),
  }),
  launched: command({
    weight: 24,
    targets: leases,
    foresee: progress('launched', ['launched']),
    helps: ({ state }, { lease }) => found(state.requests, lease.id).status === 'launching',
    moves: { request: ['launched'] },
    affects: affectedBy,
    call: (_, { lease, runner }) => runner.launched(lease),
    expect: ({ after }, { lease }) =>
      hold(found(after.requests, lease.id).status === 'launched', 'launched', 'it is not'),
  }),
  failed: command({
    weight: 2,
    targets: leases,
    foresee: ending('fail'),
    helps: isHeld,
    moves: runEnds,
    affects: affectedBy,
    call: (_, { lease, runner }) => runner.failed(lease),
    expect: ({ before, after }, { lease }) => checkBack(before, after, lease.id),
  }),
  released: command({
    weight: 2,
    targets: leases,
    foresee: ending('release'),
    helps: isHeld,
    moves: runEnds,
    affects: affectedBy,
    call: (_, { lease, runner }, how) =>
      runner.released(lease, { reason: reasons[how % reasons.length] ?? 'network' }),
    expect({ before, after }, { lease }) {
      const was = found(before.requests, lease.id)
      if (was.ended) return
      const now = found(after.requests, lease.id)
      const isNewer = now.status !== 'queued' || now.generation === was.generation + 1
      hold(isNewer, 'I-01', 'what was given back can still be reported on')
    },
  }),
  exited: command({
    weight: 8,
    targets: leases,
    foresee: ({ state }, held) =>
      fenced(state, held, (request) => {
        if (request.ended || request.status === 'launched') return undefined
        return allowsRequest('fail', request) ? undefined : 'invalid_transition'
      }),
    helps: isHeld,
    moves: runEnds,
    affects: affectedBy,
    call: (_, { lease, runner }, how) =>
      runner.exited(lease, { cause: causes[how % causes.length] ?? 'agent', ...usageFor(how) }),
    expect(outcome, { lease }) {
      const { before, after } = outcome
      const was = found(before.requests, lease.id)
      if (was.ended) return
      checkParked(outcome, was)
      const now = found(after.requests, lease.id)
      hold(now.ended || now.status === 'queued', 'exit', 'a run whose end was reported goes on')
      const isDelivered = was.outcome === 'delivered'
      hold(!isDelivered || now.outcome === 'delivered', 'I-29', 'the exit undid a delivery')
    },
  }),
  limited: command({
    weight: 6,
    targets: leases,
    foresee: ({ state }, held) =>
      fenced(state, held, (request) => {
        if (request.ended || request.status === 'launched') return undefined
        return allowsRequest('hold', request) ? undefined : 'invalid_transition'
      }),
    helps: isHeld,
    moves: runEnds,
    affects: affectedBy,
    call: (_, { lease, runner }, how) =>
      runner.exited(lease, { exitCode: 1, limit: limits[how % limits.length] ?? limits[0] }),
    expect(outcome, { lease }) {
      const was = found(outcome.before.requests, lease.id)
      if (!was.ended) checkHeld(outcome, was)
    },
  }),
  renew: command({
    weight: 4,
    targets: leases,
    foresee: () => undefined,
    helps: isHeld,
    moves: {
      objective: ['revive'],
      request: ['revive'],
      session: ['hear', 'revive'],
    },
    affects: affectedBy,
    call: (_, { lease, runner }) => runner.heartbeat(lease),
    expect({ before, answer }, { lease }) {
      // the leases of this route's answer
      const [renewed] = answer as { ok: boolean }[]
      const request = found(before.requests, lease.id)
      const isHeld = request.generation === lease.generation && !request.ended
      const isNewest = newestRequestOf(before, { id: request.objective })?.id === request.id
      if (!isHeld) hold(renewed?.ok === false, 'I-02', 'a superseded lease was renewed')
      const isPlain = isHeld && isNewest && !isGone(before, objectiveOf(before, request))
      if (isPlain) hold(renewed?.ok === true, 'I-19', 'a lease that stands was not renewed')
    },
  }),
}

/** A launch that came to nothing is forgotten: its objective is what it was before. */
function checkBack(before: State, after: State, id: string): void {
  const request = found(before.requests, id)
  const was = objectiveOf(before, request)
  if (request.ended || was.state !== 'launching' || sessionOfRequest(before, request)) return
  if (newestRequestOf(before, was)?.id !== id) return
  const { state } = objectiveOf(after, request)
  hold(state === (was.prior ?? 'draft'), 'prior state', `it was ${was.prior}, and now is ${state}`)
}

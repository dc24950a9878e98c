import { randomUUID } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { sleep, waitMs } from '@svc/client/retry'
import type { Client } from '@svc/client/client'
import type { Rights } from '@svc/contracts/rights'
import type { ClaimAnswer } from '@svc/contracts/runner'
import { type FoundAgent, discoverAgents, missingAgents, reportAgents } from '../agents/discover.ts'
import { reportResources } from '../files/resources.ts'
import { newDevice, readDevice } from '../files/fingerprint.ts'
import { noteReported } from '../files/holds.ts'
import { openHome } from '../files/home.ts'
import { type Timing, defaultTiming, terminationTimingFrom } from '../run/order.ts'
import { findStep } from '../run/journal.ts'
import { findRunOrder, hasRunFolder, removeOldRuns } from '../run/run-folder.ts'
import type { RunLog } from '../run/run-log.ts'
import { paceFor } from '../run/until-reached.ts'
import type { AgentToken } from './agent-token.ts'
import { maxRightsFrom } from './max-rights.ts'
import { clearWorktrees } from './clear-worktrees.ts'
import { type DaemonContext, type Service, claimBody, connect, orderFrom } from './claim.ts'
import { fatalRefusal, isOfToken, whatFollows } from './daemon-error.ts'
import { type Giver, refuseOrder } from './give-back.ts'
import { lockHome } from './home-lock.ts'
import { openLinks } from './known-links.ts'
import { defaultMax, readBootId } from './machine.ts'
import { lookAtSignIns, offerOf } from './offer.ts'
import { writeOffered } from './offered.ts'
import { type UnusableClaim, readClaim } from './read-claim.ts'
import { repeat } from './repeat.ts'
import { type Runs, type RunsInput, trackRuns } from './runs.ts'
import { startRun } from './start-run.ts'
import { type CheckoutWatch, watchCheckouts } from './watch-checkouts.ts'
import { writeCommand } from './write-bin.ts'

const scanMs = 5_000
const hourMs = 3_600_000
const claimMs = 45_000
/** How soon a link that was made, a checkout that has gone or an agent that is held is reported to the service. */
const lookMs = 500
/** The same of a checkout that a run was given back for and that became clean or free. */
const watchMs = 2_000

export interface DaemonOptions {
  /** Folder of the runner; only one daemon may use it. */
  home: string
  service: Service
  /** What agents call the service with; the runner's own token when left out. */
  agentToken?: AgentToken
  /** What agents may do at most, whatever a project says; `SVC_RUNNER_MAX_RIGHTS` when left out. */
  maxRights?: Rights | undefined
  projects?: 'all' | readonly string[]
  /** What the service calls this runner; the name of the machine when left out. */
  label?: string | undefined
  /** Runs at once. */
  max?: number | undefined
  /** Keys of the agents to offer; all that are found when left out. */
  agents?: readonly string[] | undefined
  /** Main module of the scripted agent; `SVC_SCRIPTED_AGENT` when left out. */
  scriptedAgent?: string | undefined
  /** Main module of the `svc` command, which agents are to find on their PATH. */
  cliEntry?: string | undefined
  /** Ends by itself after one run. */
  once?: boolean
  /** It is gone after that run, or where none waits: it clones what it works in, and pushes before it delivers. */
  ephemeral?: boolean
  timing?: Partial<Timing>
  /** How often folders of runs that ended long ago, and worktrees that nothing keeps, are looked for; hourly when left out. */
  pruneMs?: number
  /** What supervisors and agents inherit. */
  env?: NodeJS.ProcessEnv
  log: RunLog
  /** Told once where the service is of a version that is too far from this one. */
  onOtherVersion?: (served: string) => void
}

export interface Daemon extends AsyncDisposable {
  /** Rejects with a DaemonError when the daemon cannot go on; resolves when it was drained, or `once` is done. */
  readonly done: Promise<void>
  /** No more claims; runs without an agent yet are given back, the others are waited for. */
  drain: () => void
  /** Every run is ended too. */
  endRuns: () => void
  /** Every process of every run is killed; nothing is reported. Then this process has to end. */
  killRuns: () => Promise<void>
  /** Links, trust and agents are read again. */
  reload: () => Promise<void>
}

/** Starts to claim and to supervise. Throws a DaemonError when the home is in use. Disposing drains. */
export async function startDaemon(options: DaemonOptions): Promise<Daemon> {
  const env = { ...(options.env ?? process.env), SVC_USER_TOKEN: options.service.token }
  const maxRights = options.maxRights ?? maxRightsFrom(env)
  const home = openHome(options.home)
  const lock = lockHome(home)
  const context: DaemonContext = {
    home,
    links: openLinks(home, options.log),
    service: options.service,
    agentToken: options.agentToken ?? 'own',
    maxRights,
    identity: options.ephemeral ? newDevice(options.label) : readDevice(home, options.label),
    ephemeral: options.ephemeral ?? false,
    projects: options.projects ?? 'all',
    bootId: readBootId(),
    timing: { ...defaultTiming, ...terminationTimingFrom(env), ...options.timing },
  }
  if (options.cliEntry !== undefined) writeCommand(home, options.cliEntry)
  const watch = watchCheckouts()
  const onOver: RunsInput['onOver'] = (folder, steps) => {
    const isBusy = findStep(steps, 'reported')?.reason === 'checkout_busy'
    const order = isBusy ? findRunOrder(folder) : undefined
    if (order !== undefined) watch.add(order, steps)
  }
  const runs = trackRuns({ home, bootId: context.bootId, env, log: options.log, onOver })
  const state: State = {
    options,
    context,
    runs,
    watch,
    env,
    max: options.ephemeral ? 1 : (options.max ?? defaultMax()),
    agents: [],
    heartbeatSeconds: 15,
    draining: new AbortController(),
    changed: new AbortController(),
    ending: false,
    isKnown: false,
    failure: undefined,
    client: connect(context, options.onOtherVersion),
  }
  await reload(state)
  const done = live(state).finally(() => lock[Symbol.dispose]())
  // Whoever awaits `done` or disposes sees the failure; nobody has to.
  done.catch(() => undefined)
  return {
    done,
    drain: () => drain(state),
    endRuns() {
      state.ending = true
      drain(state)
    },
    killRuns: () => runs.killAll(),
    async reload() {
      await reload(state)
      renewClaim(state)
    },
    async [Symbol.asyncDispose]() {
      drain(state)
      await done.catch(() => undefined)
    },
  }
}

interface State {
  options: DaemonOptions
  context: DaemonContext
  runs: Runs
  watch: CheckoutWatch
  env: NodeJS.ProcessEnv
  max: number
  agents: FoundAgent[]
  heartbeatSeconds: number
  draining: AbortController
  /** Aborted, and replaced, when what a claim says about this machine is no longer true. */
  changed: AbortController
  /** Runs are ended, too. */
  ending: boolean
  /** A claim was answered: the service knows this runner. */
  isKnown: boolean
  failure: Error | undefined
  client: Client
}

async function reload(state: State): Promise<void> {
  const { options, context, env } = state
  state.agents = await discoverAgents({
    home: context.home,
    env,
    scriptedAgent: options.scriptedAgent ?? env['SVC_SCRIPTED_AGENT'],
    only: options.agents,
  })
  const missing = missingAgents(state.agents, { home: context.home, only: options.agents })
  if (missing !== undefined) options.log.warn({}, missing)
  try {
    writeOffered(context.home, {
      agents: reportAgents(state.agents),
      maxRights: context.maxRights,
    })
  } catch (error) {
    options.log.warn({ err: error }, 'svc doctor will not know what this runner offers')
  }
}

function drain(state: State, failure?: Error): void {
  const running = state.runs.running()
  if (failure !== undefined && state.failure === undefined) {
    const isOut = isOfToken(failure)
    if (isOut) state.runs.leaveToNext()
    if (running > 0) state.options.log.warn({ runs: running }, whatFollows(failure, isOut))
  }
  state.failure ??= failure
  state.draining.abort(new Error('the daemon takes no more work'))
  state.runs.stopAll({ unlessSpawned: !state.ending })
}

async function live(state: State): Promise<void> {
  await using runs = state.runs
  const over = new AbortController()
  const again = (everyMs: () => number, work: () => unknown) =>
    repeat(over.signal, everyMs, work, state.options.log)
  const { home, links } = state.context
  const prune = async () => {
    removeOldRuns(home, Date.now(), runs.isOver)
    await clearWorktrees(home, state.options.log, { signal: over.signal })
  }
  const seen = () => JSON.stringify([reportResources(home, links()), offerOf(home, state.agents)])
  let known = seen()
  const look = () => {
    const before = known
    known = seen()
    if (known !== before) renewClaim(state)
  }
  const watch = async () => {
    if (await state.watch.look()) renewClaim(state)
  }
  const repeated = [
    again(
      () => scanMs,
      () => runs.scan(),
    ),
    again(() => state.options.pruneMs ?? hourMs, prune),
    again(() => lookMs, look),
    again(() => watchMs, watch),
    again(
      () => watchMs,
      () => lookAtSignIns(home, state.agents, state.env),
    ),
    again(
      () => state.heartbeatSeconds * 1000,
      () => beat(state),
    ),
  ]
  try {
    await claimAll(state)
    while (state.draining.signal.aborted && runs.running() > 0) {
      await runs.changed(500)
      runs.stopAll({ unlessSpawned: !state.ending })
    }
  } finally {
    over.abort(new Error('the daemon has stopped'))
    await Promise.all(repeated)
  }
  if (state.options.ephemeral && state.failure === undefined) await leave(state)
  if (state.failure !== undefined) throw state.failure
}

/** Until the daemon is drained or, with `once`, until the run that it claimed is over. */
async function claimAll(state: State): Promise<void> {
  const { runs, context, options } = state
  const { signal } = state.draining
  let unusable = 0
  while (!signal.aborted) {
    if (!hasRoom(state)) {
      await runs.changed(200)
      continue
    }
    const answer = await claim(state)
    if (answer === undefined) return
    if ('problem' in answer) {
      unusable += 1
      await refuseOrder({ ...giver(state), runner: context.identity.device.label }, answer)
      if (isOnce(options)) return
      await pauseAfter(state, unusable)
      continue
    }
    state.heartbeatSeconds = answer.heartbeatSeconds
    state.isKnown = true
    if (answer.directives.some(({ type }) => type === 'drain')) drain(state)
    const order = orderFrom(context, state.agents, answer)
    if (order === undefined) {
      if (context.ephemeral && answer.waited) return
      await sleep(answer.nextPollSeconds * 1000, signal).catch(() => undefined)
      continue
    }
    const { id, generation } = order.assignment.executionRequest
    if (hasRunFolder(context.home, id, generation)) {
      unusable += 1
      await pauseAfter(state, unusable)
      continue
    }
    unusable = 0
    const folder = await startRun({ ...giver(state), runs, env: state.env }, order)
    if (!isOnce(options)) continue
    while (folder !== undefined && !signal.aborted && !runs.isOver(folder)) await runs.changed(200)
    return
  }
}

function isOnce({ once = false, ephemeral = false }: DaemonOptions): boolean {
  return once || ephemeral
}

/** A waiting claim is asked again with what is true now; its id stays, so that an answer on its way is not lost. */
function renewClaim(state: State): void {
  const { changed } = state
  state.changed = new AbortController()
  changed.abort(new Error('what this machine has to offer changed'))
}

function hasRoom({ runs, max }: State): boolean {
  return runs.running() < max && runs.starting() < availableParallelism()
}

/** One claim, asked under its id until it is answered; undefined once the daemon is drained. */
async function claim(state: State): Promise<ClaimAnswer | UnusableClaim | undefined> {
  const { context, runs, max, client, watch } = state
  const { signal } = state.draining
  const claimId = randomUUID()
  for (let failures = 1; !signal.aborted; failures += 1) {
    const changed = state.changed.signal
    const capacity = { max, running: runs.running() }
    const ready = watch.changed()
    const offer = offerOf(context.home, state.agents)
    const report = claimBody(context, claimId, offer, capacity)
    const body = { ...report, ...(ready.length > 0 && { changed: ready }) }
    try {
      const answer = await client.call('claimExecutionRequest', body, {
        signal: AbortSignal.any([signal, changed, AbortSignal.timeout(claimMs)]),
        retry: { attempts: 1 },
      })
      watch.reported(ready)
      noteReported(context.home, offer.ended)
      return readClaim(answer, context)
    } catch (error) {
      if (signal.aborted) return undefined
      if (changed.aborted) continue
      const fatal = fatalRefusal(error)
      if (fatal !== undefined) {
        drain(state, fatal)
        return undefined
      }
      state.options.log.warn({ err: error }, 'the service did not answer a claim')
      await pauseAfter(state, failures)
    }
  }
  return undefined
}

function giver({ client, options, draining, heartbeatSeconds }: State): Giver {
  return { client, log: options.log, signal: draining.signal, heartbeatSeconds }
}

async function pauseAfter({ heartbeatSeconds, draining }: State, failures: number): Promise<void> {
  const pauseMs = waitMs(failures, paceFor(heartbeatSeconds), null)
  await sleep(pauseMs, draining.signal).catch(() => undefined)
}

/** Says that the runner is there, also while it has no room and does not claim. */
/** Else it stands among the runners until it was silent for a minute. */
async function leave({ client, context, isKnown, options }: State): Promise<void> {
  if (!isKnown) return
  const { instanceId } = context.identity
  const signal = AbortSignal.timeout(10_000)
  try {
    await client.call('heartbeatRunner', { instanceId, leases: [], leaving: true }, { signal })
  } catch (error) {
    options.log.warn({ err: error }, 'the service was not told that this runner is gone')
  }
}

async function beat(state: State): Promise<void> {
  if (!state.isKnown) return
  const { client, context, runs, max } = state
  const { instanceId } = context.identity
  try {
    const capacity = { max, running: runs.running() }
    const answer = await client.call(
      'heartbeatRunner',
      { instanceId, leases: [], capacity },
      { signal: AbortSignal.timeout(10_000), retry: { attempts: 1 } },
    )
    if (answer.directives.some(({ type }) => type === 'drain')) drain(state)
  } catch (error) {
    const fatal = fatalRefusal(error)
    if (fatal !== undefined) drain(state, fatal)
    else state.options.log.warn({ err: error }, 'the service did not answer a heartbeat')
  }
}

import { discoverAgents, missingAgents, reportAgents } from '../agents/discover.ts'
import { reportResources } from '../files/resources.ts'
import { newDevice, readDevice } from '../files/fingerprint.ts'
import { openHome } from '../files/home.ts'
import { defaultTiming, terminationTimingFrom } from '../run/order.ts'
import { findStep } from '../run/journal.ts'
import { findRunOrder, removeOldRuns } from '../run/run-folder.ts'
import { maxRightsFrom } from './max-rights.ts'
import { claimAll } from './claim-all.ts'
import { clearWorktrees } from './clear-worktrees.ts'
import { type DaemonContext, connect } from './claim.ts'
import { lockHome } from './home-lock.ts'
import { openLinks } from './known-links.ts'
import { defaultMax, readBootId } from './machine.ts'
import { lookAtSignIns, offerOf } from './offer.ts'
import { writeOffered } from './offered.ts'
import { beat, leave } from './presence.ts'
import { repeat } from './repeat.ts'
import { type RunsInput, trackRuns } from './runs.ts'
import { type DaemonOptions, type State, drain, renewClaim } from './state.ts'
import { watchCheckouts } from './watch-checkouts.ts'
import { writeCommand } from './write-bin.ts'

const scanMs = 5_000
const hourMs = 3_600_000
/** How soon a link that was made, a checkout that has gone or an agent that is held is reported to the service. */
const lookMs = 500
/** The same of a checkout that a run was given back for and that became clean or free. */
const watchMs = 2_000

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
  const { baseUrl, person } = options.service
  const runs = trackRuns({
    home,
    claimant: { service: baseUrl, person },
    bootId: context.bootId,
    env,
    log: options.log,
    onOver,
  })
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
  if (options.takesNone) drain(state)
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

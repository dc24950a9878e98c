import { randomUUID } from 'node:crypto'
import type { MetLimit } from '@svc/contracts/agent-limit'
import type { ProcessIdentity } from '@svc/process/process-identity'
import { defaultHome } from '../files/home.ts'
import { addAgentToHolder } from '../git/checkout-holders.ts'
import { maskWholeText } from '../output/mask.ts'
import { secretSpellings } from '../output/secrets.ts'
import { type LaunchPlan, planLaunch, refuseUnstartable } from '../plan/launch-plan.ts'
import { refuseHeld } from '../plan/refuse-held.ts'
import { refuseUntrusted } from '../plan/trust.ts'
import { endRunProcesses } from '../processes/graceful-termination.ts'
import { agentErrorForOthers } from '../run/agent-error.ts'
import { leadersOf } from '../run/journal.ts'
import { secretsOf } from '../run/order.ts'
import type { Run } from '../run/run.ts'
import { writeWhenPossible } from '../run/write-when-possible.ts'
import type { AgentProcess } from './agent-process.ts'
import { cloneMissing } from './clone-missing.ts'
import type { Life } from './life.ts'
import { type PreparedRun, prepareRun } from './prepare.ts'
import { runPreLaunchCommands } from './pre-launch.ts'
import { type RunOutput, openRunOutput } from './run-output.ts'
import { startAgentProcess } from './start-agent-process.ts'
import { type Stopping, orAborted } from './stopping.ts'

export interface Launched {
  agent: AgentProcess
  /** The agent's own id of its conversation, as far as it is known. */
  sessionId: () => string | undefined
  output: RunOutput
  /** Spellings of the secrets that it was given. */
  spellings: readonly string[]
  workingDirectory: string
  /** What it was started with. */
  environment: Record<string, string>
}

/** Everything up to the running agent. What goes wrong before the spawn is thrown; after it, nothing is. */
export async function launch(life: Life): Promise<Launched> {
  const { run, stopping } = life
  const { signal } = stopping
  await reportStart(run, stopping, { call: 'reportLaunching', body: {} })
  refuseUntrusted({ ...run.order, ownHome: run.order.home !== defaultHome(run.env) })
  refuseUnstartable(run.order)
  refuseHeld(run.order)
  await cloneMissing(run, signal)
  const ready = await prepareRun(run, signal)
  await reportStart(run, stopping, { call: 'reportLaunching', body: { prepared: ready.prepared } })
  const plan = planLaunch(run.order, ready, run.env, randomUUID())
  let spellings = secretSpellings(plan.environment, secretsOf(run.order, run.env))
  const output = openRunOutput(run, spellings)
  try {
    const environment = await runPreLaunchCommands(run, plan, {
      output,
      stopping,
      onStarted: (identity) => keepLock(run, ready, identity),
      onLeft(variables) {
        spellings = [...new Set([...spellings, ...secretSpellings(variables)])]
        output.mask(spellings)
      },
    })
    const started = await startAgent(life, { ...plan, environment }, { ready, output, spellings })
    return { ...started, output, spellings, workingDirectory: plan.workingDirectory, environment }
  } catch (error) {
    await endRunProcesses(leadersOf(run.steps()), run.marker, run.order.timing)
    // the output is kept from the service for as long as that refuses the runner: it may leave the run now
    life.ended = true
    await showLog(run, output)
    throw error
  }
}

const mostErrorsReported = 20
const mostLimitsKept = 100

/** What a report can hold of it: a run whose end cannot be reported would never be over. */
function isSessionId(text: string): boolean {
  return text.length <= 200 && !/[\p{Cc}\p{Cs}]/u.test(text)
}

interface ToStart extends Pick<Launched, 'output' | 'spellings'> {
  ready: PreparedRun
}

async function startAgent(
  life: Life,
  plan: LaunchPlan,
  { ready, output, spellings }: ToStart,
): Promise<Pick<Launched, 'agent' | 'sessionId'>> {
  const { run, stopping } = life
  const adapter = run.order.agent?.adapter
  if (adapter === undefined) throw new Error('an agent without an adapter cannot be planned')
  const argvRedacted = plan.argvShown.map((word) => maskWholeText(word, spellings)).slice(0, 500)
  stopping.signal.throwIfAborted()
  run.record({ step: 'spawning', argvRedacted })
  life.spawned = true
  let sessionId = plan.externalSessionId
  let errorsReported = 0
  let limitsKept = 0
  let limitKept: string | undefined
  const heard = {
    sessionId(externalSessionId: string) {
      if (!isSessionId(externalSessionId)) return run.log.warn({}, 'the agent names no session id')
      run.recordIfPossible({ step: 'native', externalSessionId })
      sessionId = externalSessionId
      report()
    },
    // one that never attaches may be ended by the service, which then hears nothing of its end
    error(said: string) {
      errorsReported += 1
      if (errorsReported <= mostErrorsReported) report(agentErrorForOthers(run, said, spellings))
    },
    // each is a write to the disk, and one that tries again and again says it again and again
    limit(limit: MetLimit, endsRun: boolean) {
      const text = JSON.stringify([limit, endsRun])
      if (text !== limitKept && limitsKept < mostLimitsKept) {
        limitKept = text
        limitsKept += 1
        run.recordIfPossible({ step: 'limited', ...limit, endsRun })
      }
      if (endsRun) stopping.stop({ cause: 'agent', silent: false })
    },
  }
  const agent = await startAgentProcess({
    run,
    plan,
    adapter,
    output,
    spellings,
    stopping: stopping.signal,
    heard,
  })
  const { pid, startedAt: pidStartedAt } = agent.identity
  run.recordIfPossible({ step: 'spawned', pid, pidStartedAt })
  keepLock(run, ready, agent.identity)
  report()
  return { agent, sessionId: () => sessionId }

  function report(agentError?: string): void {
    const body = {
      pid: agent.identity.pid,
      pidStartedAt: agent.identity.startedAt,
      argvRedacted,
      ...(sessionId !== undefined && { externalSessionId: sessionId }),
      ...(agentError && { agentError }),
    }
    void run.report({ call: 'reportLaunched', body }).then(
      (refused) => refused === undefined && run.recordIfPossible({ step: 'launched' }),
      (error: unknown) => run.log.warn({ err: error }, 'the launch could not be reported'),
    )
  }
}

/** A report without which the launch must not go on. */
async function reportStart(
  run: Run,
  stopping: Stopping,
  report: Parameters<Run['report']>[0],
): Promise<void> {
  const refused = await orAborted(run.report(report), stopping.signal)
  if (refused?.code === 'cancel_requested') stopping.stop({ cause: 'cancelled', silent: false })
  stopping.signal.throwIfAborted()
  if (refused !== undefined) throw refused
}

/** Uploads the log of a run whose agent was not started: there is nothing else to see of it. */
async function showLog(run: Run, output: RunOutput): Promise<void> {
  await output.close()
  try {
    await output.finishUpload()
  } catch (error) {
    if (!run.fence.aborted) run.log.warn({ err: error }, 'the output could not be uploaded')
  }
}

/** The checkouts stay the run's while that process lives, whatever becomes of this one. */
function keepLock(run: Run, { held }: PreparedRun, identity: ProcessIdentity): void {
  const writing = writeWhenPossible(run.log)
  for (const { checkout, holder } of held) {
    writing.write(() => addAgentToHolder(checkout, { ...holder, agent: identity }))
  }
}

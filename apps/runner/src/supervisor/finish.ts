import { cutText } from '@svc/contracts/cut-text'
import { isServiceError } from '@svc/contracts/errors'
import type { z } from 'zod'
import type { MetLimit } from '@svc/contracts/agent-limit'
import type { ExitCause, ExitedBody } from '@svc/contracts/runner'
import type { ToldUsage } from '../agents/told-usage.ts'
import { spoolFolder } from '../files/spooled-call.ts'
import { readCombinedDiff } from '../git/combined-diff.ts'
import { findUncommittedWork } from '../git/uncommitted-work.ts'
import { commitOf } from '../git/refs.ts'
import { maskAndClean } from '../output/for-others.ts'
import { maskWholeText } from '../output/mask.ts'
import { type RunWorkingTree, workingTreesOf } from '../run/working-trees.ts'
import { agentErrorForOthers } from '../run/agent-error.ts'
import { reportLast } from '../run/last-report.ts'
import { type Run, isLeaseLost } from '../run/run.ts'
import { keepsDelivery, sendSpool } from '../run/spool.ts'
import { textForOthers } from '../run/text-for-others.ts'
import { findLimit, holdAgentOf } from '../run/met-limit.ts'
import { isFinalForRunner } from '../run/until-reached.ts'
import { pushAtLast, pushRun, sayWhere } from './push-run.ts'
import { uploadChanges } from './upload-changes.ts'

/** For Git to read what a run left: 100,000 files on a slow disk take more than a minute. */
const lookMs = 5 * 60_000
const mostWarnings = 20
const warningCharacters = 1000

export interface RunEnd {
  exitCode: number | null
  signal: string | null
  cause: ExitCause
  usage?: ToldUsage | undefined
  /** The agent's own id of its conversation. */
  sessionId?: string | undefined
  /** What it last said went wrong, not masked. */
  agentError?: string | undefined
  lastOutput: string
  /** Spellings of the secrets that the agent was given. */
  spellings: readonly string[]
  finishLog?: () => Promise<void>
  /** Called before a delivery is sent that was kept: it may wait for its checks. */
  beforeDelivery?: () => void
}

/** After the last process of a run has gone: calls left over, rest of the log, diff, exit. Each until it is accepted. */
export async function finishRun(run: Run, end: RunEnd): Promise<void> {
  if (run.fence.aborted) return
  const limit = findLimit(run, end)
  if (limit) holdAgentOf(run, limit)
  const heads = await findHeads(run)
  let notDelivered: string | undefined
  try {
    await run.reports.settled()
    await attempt(run, 'send the kept calls', async () => {
      notDelivered = await sendKeptCalls(run, end.beforeDelivery)
    })
    if (end.finishLog) await attempt(run, 'upload the output', end.finishLog)
    await attempt(run, 'upload the changes', () => uploadDiff(run, end.spellings, heads))
    const agentError = end.agentError ?? notDelivered
    await reportExit(run, { ...end, agentError }, { heads, warnings: await lookBack(run), limit })
  } catch (error) {
    if (!run.fence.aborted) throw error
  }
}

/** The last commits of the run's branches, in the form of the reports. */
type Heads = Pick<z.infer<typeof ExitedBody>, 'headSha' | 'others'>

async function findHeads(run: Run): Promise<Heads> {
  let heads: Heads = {}
  for (const tree of workingTreesOf(run)) {
    const { resourceKey, isOwn } = tree
    const headSha = await findHead(run, tree)
    if (headSha === undefined) continue
    if (isOwn) heads = { ...heads, headSha }
    else heads = { ...heads, others: [...(heads.others ?? []), { resourceKey, headSha }] }
  }
  return heads
}

/** The last commit of a branch, wherever the agent left the checkout; of one that it removed, where it left off. */
async function findHead(
  { order }: Run,
  { resourceKey, workingDirectory, branch }: RunWorkingTree,
): Promise<string | undefined> {
  const linked = order.checkouts[resourceKey]
  try {
    const tip = linked && (await commitOf(linked, `refs/heads/${branch}`))
    return tip ?? (await commitOf(workingDirectory, 'HEAD'))
  } catch {
    // of a repository that is gone by now nothing is known
    return undefined
  }
}

/** What a person should know of the work that the run leaves. A working tree that cannot be read is left out. */
async function lookBack(run: Run): Promise<string[]> {
  const warnings: string[] = []
  const { ephemeral, assignment } = run.order
  await attempt(run, 'push the branches', async () => {
    if (ephemeral) warnings.push(...(await pushAtLast(run, run.fence)))
    else if (assignment.launchSettings.pushBranches) {
      warnings.push(...(await pushRun(run, run.fence)))
    }
  })
  for (const tree of workingTreesOf(run)) {
    await attempt(run, 'look at what the run left', async () => {
      const signal = AbortSignal.any([run.fence, AbortSignal.timeout(lookMs)])
      const found = await findUncommittedWork(tree, { signal, timeoutMs: lookMs })
      warnings.push(...found.map((text) => sayWhere(tree, text)))
    })
  }
  return warnings
}

interface Left {
  heads: Heads
  warnings: string[]
  limit: MetLimit | undefined
}

async function reportExit(run: Run, end: RunEnd, { heads, warnings, limit }: Left) {
  const { exitCode, signal, cause, agentError = '', lastOutput, spellings } = end
  const error = agentErrorForOthers(run, agentError, spellings)
  const shown = warnings
    .slice(0, mostWarnings)
    .map((text) => cutText(textForOthers(text, run.order, run.env), warningCharacters))
  await reportLast(run, {
    call: 'reportExited',
    body: {
      exitCode,
      signal,
      cause,
      lastOutput: maskAndClean(lastOutput, spellings).slice(-8_000),
      ...usageIn(end),
      ...(error !== '' && { agentError: error }),
      ...(limit && { limit }),
      ...heads,
      ...(shown.length > 0 && { warnings: shown }),
    },
  })
}

/** Of a conversation without an id there is no run before this one. */
function usageIn({ usage: { run, conversation } = {}, sessionId }: RunEnd) {
  if (conversation === undefined || sessionId === undefined) {
    return run || conversation ? { usage: { ...run, ...conversation } } : {}
  }
  return {
    ...(run && { usage: run }),
    conversation: { externalSessionId: sessionId, usage: conversation },
  }
}

/** What is refused or cannot be read is logged and never keeps the exit from being reported. */
async function attempt(run: Run, what: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (isLeaseLost(error)) run.supersede()
    run.fence.throwIfAborted()
    run.log.warn({ err: error }, `could not ${what}`)
  }
}

/** Why a delivery among them was not taken; undefined where none was refused. */
async function sendKeptCalls(run: Run, beforeDelivery?: () => void): Promise<string | undefined> {
  const folder = spoolFolder(run.tmpDirectory, run.requestId)
  if (keepsDelivery(folder)) beforeDelivery?.()
  const persistence = { signal: run.fence, pace: run.pace }
  let notDelivered: string | undefined
  const { client, order } = run
  const { mission, objective } = order.assignment
  await sendSpool(folder, {
    client,
    persistence,
    ...(order.agentToken !== null && {
      only: {
        missions: [mission.id, mission.displayId],
        objectives: [objective.id, objective.displayId],
      },
    }),
    isHeard: () => isHeard(run),
    notSent: (call, error) => {
      run.log.warn({ err: error, call }, 'a kept call was not sent')
      if (call === 'deliver' && isServiceError(error)) {
        notDelivered = `The delivery was not taken: ${error.message}`
      }
    },
  })
  return notDelivered
}

const heardMs = 10_000

/** By a heartbeat that renews nothing. */
async function isHeard({ client, order, fence }: Run): Promise<boolean> {
  const signal = AbortSignal.any([fence, AbortSignal.timeout(heardMs)])
  try {
    const { instanceId } = order
    await client.call('heartbeatRunner', { instanceId, leases: [] }, { signal })
    return true
  } catch (error) {
    fence.throwIfAborted()
    // a runner that was removed, say, is refused for what it is and not for what its person may do
    return isFinalForRunner(error)
  }
}

async function uploadDiff(run: Run, spellings: readonly string[], heads: Heads): Promise<void> {
  const signal = AbortSignal.any([run.fence, AbortSignal.timeout(lookMs)])
  const mask = (text: string) => maskWholeText(text, spellings)
  const diff = await readCombinedDiff(workingTreesOf(run), mask, { signal, timeoutMs: lookMs })
  if (diff === undefined) return
  const { headSha = diff.headSha, ...others } = heads
  if (headSha === undefined) {
    throw new Error('neither the branch of the run nor its working tree is left')
  }
  await uploadChanges(run, { ...diff, headSha, ...others })
}

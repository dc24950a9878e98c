import { randomBytes } from 'node:crypto'
import { constants, closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { MissionContext } from '@svc/contracts/context'
import { isServiceError } from '@svc/contracts/errors'
import type { Prepared } from '@svc/contracts/runner'
import { errorCode } from '../files/durable-file.ts'
import { freeCheckoutLock, type CheckoutHolder } from '../git/checkout-lock.ts'
import {
  isRepository,
  missedWork,
  planCheckoutBranch,
  planResumedBranch,
  switchToBranch,
} from '../git/checkout.ts'
import { placeOf } from '../git/place.ts'
import { excludeScratchFolder, openScratchFolder } from '../git/scratch-folder.ts'
import { runFactsPaths, writeRunFacts } from '../files/run-facts.ts'
import { buildBriefing } from '../plan/briefing.ts'
import { briefingPath, scratchPath } from '../plan/paths.ts'
import { beginsAnew } from '../plan/resumed-session.ts'
import { checkoutState } from '../files/resources.ts'
import type { Run } from '../run/run.ts'
import { untilReached } from '../run/until-reached.ts'
import { LaunchFailure, LaunchRelease } from '../launch-failure.ts'
import { attachmentFolder, fetchAttachments } from './fetch-attachments.ts'
import { takeCheckout } from './take-checkout.ts'

const checkoutMs = 5 * 60_000
const mostWarnings = 20

export interface PreparedRun {
  prepared: Prepared
  context: MissionContext
  tmpDirectory: string
  contextFile: string
  briefing: string
  /** Of the checkout's lock; undefined in a scratch folder. */
  holder: CheckoutHolder | undefined
}

// spec: Launch payload assembly
/** Everything up to the plan: context, checkout on its branch, scratch folder, briefing. */
export async function prepareRun(run: Run, signal: AbortSignal): Promise<PreparedRun> {
  const context = await loadContext(run, signal)
  const { prepared, holder } = await prepareDirectory(run, signal)
  run.record({ step: 'prepared', ...prepared })
  const { tmpDirectory } = run
  mkdirSync(tmpDirectory, { recursive: true, mode: 0o700 })
  const scratchFolder = openScratchFolder(prepared.workingDirectory)
  const attachments = await fetchAttachments(run, context, { scratchFolder, signal })
  const briefing = buildBriefing({
    context,
    objective: run.order.assignment.objective,
    branch: prepared.branch,
    beginsAnew: beginsAnew(run.order),
    warnings: prepared.warnings,
    attachments,
    nonce: randomBytes(12).toString('hex'),
  })
  const contextFile = briefingPath(scratchFolder, run)
  writeBriefing(contextFile, briefing)
  const { baseSha, workingDirectory } = prepared
  const facts = { requestId: run.requestId, generation: run.generation, baseSha }
  writeRunFacts(runFactsPaths({ ...run, workingDirectory }), facts)
  return { prepared, context, tmpDirectory, contextFile, briefing, holder }
}

/** Takes away what only the running agent needs. Safe to repeat. */
export function cleanUpRun(run: Run): void {
  const prepared = run.steps().findLast((step) => step.step === 'prepared')
  if (prepared === undefined) return
  const { workingDirectory, checkout } = prepared
  const files = runFactsPaths({ ...run, workingDirectory })
  const scratchFolder = join(workingDirectory, '.svc', 'tmp')
  files.push(briefingPath(scratchFolder, run), attachmentFolder(scratchFolder, run))
  for (const file of files) rmSync(file, { force: true, recursive: true })
  if (checkout !== 'scratch') freeCheckoutLock(workingDirectory, run)
}

async function loadContext(run: Run, signal: AbortSignal): Promise<MissionContext> {
  const { mission, objective } = run.order.assignment
  const input = { missionId: mission.id, objectiveId: objective.id }
  try {
    return await untilReached((options) => run.client.protocol('load-context', input, options), {
      signal,
      pace: run.pace,
    })
  } catch (error) {
    if (!isServiceError(error)) throw error
    if (error.code !== 'unauthenticated' && error.code !== 'forbidden') throw error
    throw new LaunchFailure(
      'auth_required',
      `The runner may not read the mission: ${error.message}`,
      'prepare',
      {
        cause: error,
      },
    )
  }
}

interface Directory {
  prepared: Prepared
  holder: CheckoutHolder | undefined
}

async function prepareDirectory(run: Run, signal: AbortSignal): Promise<Directory> {
  const { executionRequest } = run.order.assignment
  if (executionRequest.resourceKey === null) return scratchDirectory(run)
  const timeout = AbortSignal.timeout(checkoutMs)
  try {
    const both = AbortSignal.any([signal, timeout])
    return await prepareCheckout(run, executionRequest.resourceKey, both)
  } catch (error) {
    if (signal.aborted || !timeout.aborted) throw error
    throw new LaunchRelease('network', 'The checkout was not ready within 5 minutes.', {
      cause: error,
    })
  }
}

function scratchDirectory(run: Run): Directory {
  const workingDirectory = scratchPath(run.order)
  mkdirSync(workingDirectory, { recursive: true, mode: 0o700 })
  const prepared = {
    workingDirectory,
    branch: null,
    missionBranch: null,
    startSha: null,
    baseSha: null,
    checkout: 'scratch',
    warnings: [],
  } satisfies Prepared
  return { prepared, holder: undefined }
}

async function prepareCheckout(
  run: Run,
  resourceKey: string,
  signal: AbortSignal,
): Promise<Directory> {
  const workingDirectory = await requireCheckout(run, resourceKey)
  openScratchFolder(workingDirectory)
  await excludeScratchFolder(workingDirectory)
  const { assignment, device } = run.order
  const place = placeOf(workingDirectory, assignment, device.label)
  const holder = await takeCheckout(run, place, signal)
  try {
    const resumed = await planResumedBranch(place, assignment, { signal })
    const plan = resumed ?? (await planCheckoutBranch(place, assignment, { signal }))
    const { branch, missionBranch, startSha } = plan
    const { useWorktrees } = assignment.project
    const { baseSha, warnings } = await switchToBranch(place, plan, useWorktrees, { signal })
    const missed = await missedWork(place, assignment, baseSha, { signal })
    const prepared = {
      workingDirectory,
      branch,
      missionBranch,
      startSha,
      // what a run changed that goes on is told from where the one before began
      baseSha: (resumed && assignment.resume?.prepared?.baseSha) ?? baseSha,
      checkout: 'own',
      warnings: [...warnings, ...missed].slice(0, mostWarnings),
    } satisfies Prepared
    return { prepared, holder: { ...holder, branch } }
  } catch (error) {
    freeCheckoutLock(workingDirectory, holder)
    throw error
  }
}

async function requireCheckout(run: Run, resourceKey: string): Promise<string> {
  const path = run.order.checkouts[resourceKey]
  const state = path === undefined ? 'missing' : checkoutState(path)
  if (path !== undefined && state === 'usable' && (await isRepository(path))) return path
  throw new LaunchFailure(
    'bad_working_directory',
    path === undefined
      ? `Resource ${resourceKey} is not linked on the machine of its runner.`
      : `${path} is not a Git checkout that can be written to: repair it or link another.`,
    'prepare',
    { next: { operation: 'connectResource', params: { resourceKey } } },
  )
}

function writeBriefing(path: string, text: string): void {
  const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants
  const handle = openBriefing(path, O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY)
  try {
    writeSync(handle, text)
  } finally {
    closeSync(handle)
  }
}

function openBriefing(path: string, flags: number): number {
  try {
    return openSync(path, flags, 0o600)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
    throw new LaunchFailure(
      'bad_working_directory',
      `${path} is there already: remove it and start the run again.`,
      'prepare',
      { cause: error },
    )
  }
}

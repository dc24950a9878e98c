import { randomBytes } from 'node:crypto'
import { constants, closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { MissionContext } from '@svc/contracts/context'
import { isServiceError } from '@svc/contracts/errors'
import { errorCode } from '@svc/process/untrusted-file'
import { freeCheckout } from '../git/checkout-holders.ts'
import { openScratchFolder } from '../git/scratch-folder.ts'
import { runFactsPaths, writeRunFacts } from '../files/run-facts.ts'
import { buildBriefing } from '../plan/briefing.ts'
import { briefingPath } from '../plan/paths.ts'
import { locateResources } from '../plan/locate-resources.ts'
import { heldTo } from '../plan/rights.ts'
import { beginsAnew } from '../plan/resumed-session.ts'
import type { Run } from '../run/run.ts'
import { untilReached } from '../run/until-reached.ts'
import { LaunchFailure } from '../launch-failure.ts'
import { attachmentFolder, fetchAttachments } from './fetch-attachments.ts'
import { variableFolder } from './pre-launch-shell.ts'
import { type Directory, prepareDirectory } from './prepare-directory.ts'

export interface PreparedRun extends Omit<Directory, 'unavailable'> {
  context: MissionContext
  tmpDirectory: string
  contextFile: string
  briefing: string
}

// spec: Launch payload assembly
/** Everything up to the plan: context, checkout on its branch, scratch folder, briefing. */
export async function prepareRun(run: Run, signal: AbortSignal): Promise<PreparedRun> {
  const loaded = await loadContext(run, signal)
  const { unavailable, ...directory } = await prepareDirectory(run, signal)
  const { prepared } = directory
  const projectResources = locateResources(run.order, prepared, loaded.projectResources)
  const context = { ...loaded, projectResources }
  run.record({ step: 'prepared', ...prepared })
  const { tmpDirectory } = run
  mkdirSync(tmpDirectory, { recursive: true, mode: 0o700 })
  const scratchFolder = openScratchFolder(prepared.workingDirectory)
  const attachments = await fetchAttachments(run, context, { scratchFolder, signal })
  const briefing = buildBriefing({
    context,
    objective: run.order.assignment.objective,
    prepared,
    unavailable,
    target: run.order.assignment.executionRequest.resourceKey,
    heldTo: heldTo(run.order),
    beginsAnew: beginsAnew(run.order),
    isEphemeral: run.order.ephemeral,
    attachments,
    nonce: randomBytes(12).toString('hex'),
  })
  const contextFile = briefingPath(scratchFolder, run)
  writeBriefing(contextFile, briefing)
  const { baseSha, workingDirectory, others } = prepared
  const facts = { requestId: run.requestId, generation: run.generation, baseSha, others }
  writeRunFacts(runFactsPaths({ ...run, workingDirectory }), facts)
  return { ...directory, context, tmpDirectory, contextFile, briefing }
}

/** Takes away what only the running agent needs. Safe to repeat. */
export function cleanUpRun(run: Run): void {
  const prepared = run.steps().findLast((step) => step.step === 'prepared')
  if (prepared === undefined) return
  const { workingDirectory, checkout, others } = prepared
  const files = runFactsPaths({ ...run, workingDirectory })
  const scratchFolder = join(workingDirectory, '.svc', 'tmp')
  files.push(briefingPath(scratchFolder, run), attachmentFolder(scratchFolder, run))
  files.push(variableFolder(run.folder))
  for (const file of files) removeIfPossible(run, file)
  if (checkout !== 'scratch') freeCheckout(workingDirectory, run)
  for (const other of others) freeCheckout(other.workingDirectory, run)
}

/** What the agent has protected against removal is no reason to hold the checkout and the runner's place for ever. */
function removeIfPossible({ log }: Run, path: string): void {
  try {
    rmSync(path, { force: true, recursive: true })
  } catch (error) {
    log.warn({ err: error, path }, 'what the run needed could not be removed: remove it by hand')
  }
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
    if (error.code !== 'forbidden') throw error
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

import { statSync } from 'node:fs'
import { join } from 'node:path'
import { readPart } from '../files/read-part.ts'
import { outputLimitsOf } from '../output/capped-output.ts'
import { endRunProcesses } from '../processes/graceful-termination.ts'
import { secretSpellings } from '../output/secrets.ts'
import { findStep, leadersOf } from '../run/journal.ts'
import { reportLast } from '../run/last-report.ts'
import { lastOutputBytes } from '../run/met-limit.ts'
import { secretsOf, terminationAfterLoss } from '../run/order.ts'
import { recordEnd } from '../run/record-end.ts'
import { findRunOrder } from '../run/run-folder.ts'
import type { RunLog } from '../run/run-log.ts'
import { type Run, openRun } from '../run/run.ts'
import { finishRun } from '../supervisor/finish.ts'
import { uploadKept } from '../supervisor/log-upload.ts'
import { outputFile } from '../supervisor/run-output.ts'
import { closeRun } from '../supervisor/close-run.ts'
import { readLastLeft } from '../supervisor/pre-launch-shell.ts'
import { forgetRun } from './forget-run.ts'

export interface RecoverInput {
  bootId: string
  env: NodeJS.ProcessEnv
  log: RunLog
}

/** Takes a run to its end whose supervisor is gone. Tries for ever; resolves when it is done or `signal` aborts. */
export async function recoverRun(
  folder: string,
  { bootId, env, log }: RecoverInput,
  signal: AbortSignal,
): Promise<void> {
  if (findRunOrder(folder) === undefined) {
    // nobody knows its lease
    log.warn({ run: folder }, 'the order of this run cannot be read: ending its processes')
    return await forgetRun(folder, bootId)
  }
  const run = openRun(folder, env, log)
  const leave = () => run.leave()
  signal.addEventListener('abort', leave, { once: true })
  try {
    await takeToEnd(run, bootId)
    if (signal.aborted) return
    await closeRun(run)
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    signal.removeEventListener('abort', leave)
  }
}

async function takeToEnd(run: Run, bootId: string): Promise<void> {
  const steps = run.steps()
  const isSameBoot = findStep(steps, 'claimed')?.bootId === bootId
  if (isSameBoot) {
    // a Git that a lost supervisor was waiting for would go on, and hold its locks against the next run
    const leaders = leadersOf(steps, { andSupervisor: true })
    await endRunProcesses(leaders, run.marker, terminationAfterLoss(run.order))
  }
  recordEnd(run)
  await run.reports.settled()
  if (run.fence.aborted || findStep(steps, 'reported') !== undefined) return
  if (findStep(steps, 'spawning') === undefined) {
    return await reportLast(run, { call: 'reportReleased', body: { reason: 'supervisor_lost' } })
  }
  const exited = findStep(steps, 'exited')
  const { launchEnvVars, preLaunchCommands } = run.order.assignment.launchSettings
  const output = join(run.folder, outputFile)
  const left = readLastLeft(run.folder, preLaunchCommands.length)
  await finishRun(run, {
    exitCode: exited?.exitCode ?? null,
    signal: exited?.signal ?? null,
    cause: exited ? (exited.cause ?? 'agent') : isSameBoot ? 'supervisor_lost' : 'host_rebooted',
    lastOutput: lastOutput(output),
    finishLog: () => uploadKept(run, output, outputLimitsOf(run.order.logBytes).headBytes),
    spellings: secretSpellings(
      { ...run.env, ...launchEnvVars, ...left },
      secretsOf(run.order, run.env),
    ),
  })
}

/** The end of the output that the supervisor had kept, masked as it wrote it. */
function lastOutput(file: string): string {
  const { size } = statSync(file, { throwIfNoEntry: false }) ?? { size: 0 }
  const from = Math.max(0, size - lastOutputBytes)
  return readPart(file, from, size - from)?.toString('utf8') ?? ''
}

import { readProcess } from '@svc/process/process-identity'
import { endRunProcesses } from '../processes/ladder.ts'
import { findStep, leadersOf, readJournal } from '../run/journal.ts'
import { readRunOrder } from '../run/run-folder.ts'

const atOnce = { interruptSeconds: 0, terminateSeconds: 0 }

/** Leaves nothing of a run but its folder. `child` is a supervisor that may not have written a line yet. */
export async function killRun(folder: string, bootId: string, child?: number): Promise<void> {
  const steps = readJournal(folder)
  if (findStep(steps, 'claimed')?.bootId !== bootId) return
  const recorded = findStep(steps, 'supervisor')
  const found = readProcess(recorded?.pid ?? child ?? 0)
  const isIt = !recorded || found?.startedAt === recorded.pidStartedAt
  const supervisors = found && isIt ? [found] : []
  for (const { pid } of supervisors) killHard(pid)
  // What it started last stands here, or is found by its variables.
  const leaders = [...supervisors, ...leadersOf(readJournal(folder))]
  const { id, generation } = readRunOrder(folder).assignment.executionRequest
  await endRunProcesses(leaders, { requestId: id, generation }, atOnce)
}

function killHard(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has gone in between.
  }
}

import { readProcess } from '@svc/process/process-identity'
import { atOnce, endRunProcesses } from '../processes/graceful-termination.ts'
import { findStep, leadersOf, readJournal } from '../run/journal.ts'
import { findSupervisor } from '../run/supervision.ts'

/** Leaves nothing of a run but its folder. `child` is a supervisor that may not have taken the run yet. */
export async function killRun(folder: string, bootId: string, child?: number): Promise<void> {
  const steps = readJournal(folder)
  const claimed = findStep(steps, 'claimed')
  if (claimed?.bootId !== bootId) return
  const supervisors = [findSupervisor(folder), readProcess(child ?? 0)].filter(
    (one) => one !== undefined,
  )
  for (const { pid } of supervisors) killHard(pid)
  // What it started last stands here, or is found by its variables.
  const leaders = [...supervisors, ...leadersOf(readJournal(folder))]
  await endRunProcesses(leaders, claimed, atOnce)
}

export function killHard(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has gone in between.
  }
}

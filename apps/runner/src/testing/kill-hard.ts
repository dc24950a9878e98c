import { findStep, readJournal } from '../run/journal.ts'

/** `kill -9` of the supervisor or the agent of a run folder. */
export function killHard(folder: string, step: 'supervisor' | 'spawned'): void {
  process.kill(findStep(readJournal(folder), step)!.pid, 'SIGKILL')
}

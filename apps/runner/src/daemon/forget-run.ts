import { endRunProcesses } from '../processes/graceful-termination.ts'
import { appendJournal, findStep, leadersOf, readJournal } from '../run/journal.ts'
import { defaultTiming } from '../run/order.ts'

/** Ends a run here of which its service hears no more: it takes the run back when the lease has lapsed. */
export async function forgetRun(folder: string, bootId: string): Promise<void> {
  const steps = readJournal(folder)
  const claimed = findStep(steps, 'claimed')
  if (claimed?.bootId === bootId) {
    await endRunProcesses(leadersOf(steps, { andSupervisor: true }), claimed, defaultTiming)
  }
  appendJournal(folder, { step: 'ended', at: new Date().toISOString() })
  appendJournal(folder, { step: 'cleaned' })
}

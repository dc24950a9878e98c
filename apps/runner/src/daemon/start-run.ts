import type { RunOrder } from '../run/order.ts'
import { unstartedReport } from '../run/unstarted-report.ts'
import { type Giver, giveBack } from './give-back.ts'
import type { Runs } from './runs.ts'

export interface StartInput extends Giver {
  runs: Runs
  env: NodeJS.ProcessEnv
}

/** The folder of the run. Undefined where none can be made: the service then knows why, and the daemon goes on. */
export async function startRun(input: StartInput, order: RunOrder): Promise<string | undefined> {
  try {
    return input.runs.start(order)
  } catch (error) {
    input.log.warn({ err: error }, 'no folder can be made for a run that was claimed')
    const held = {
      requestId: order.assignment.executionRequest.id,
      leaseToken: order.leaseToken,
    }
    await giveBack(input, held, unstartedReport(error, order, input.env))
    return undefined
  }
}

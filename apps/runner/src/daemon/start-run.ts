import type { Client } from '@svc/client/client'
import type { RunOrder } from '../run/order.ts'
import { sendReport } from '../run/reports.ts'
import type { RunLog } from '../run/run-log.ts'
import { unstartedReport } from '../run/unstarted-report.ts'
import { paceFor } from '../run/until-reached.ts'
import type { Runs } from './runs.ts'

export interface StartInput {
  runs: Runs
  client: Client
  env: NodeJS.ProcessEnv
  log: RunLog
  /** Aborted when the daemon leaves; the lease then lapses unsaid. */
  signal: AbortSignal
}

/** The folder of the run. Undefined where none can be made: the service then knows why, and the daemon goes on. */
export async function startRun(input: StartInput, order: RunOrder): Promise<string | undefined> {
  try {
    return input.runs.start(order)
  } catch (error) {
    input.log.warn({ err: error }, 'no folder can be made for a run that was claimed')
    await giveBack(input, order, error).catch((failure: unknown) => {
      if (!input.signal.aborted) throw failure
    })
    return undefined
  }
}

async function giveBack(
  { client, env, log, signal }: StartInput,
  order: RunOrder,
  error: unknown,
): Promise<void> {
  const outlet = {
    client,
    held: { requestId: order.assignment.executionRequest.id, leaseToken: order.leaseToken },
    persistence: { signal, pace: paceFor(order.heartbeatSeconds) },
    refused: (refusal: Error) => log.warn({ err: refusal }, 'it could not be given back'),
  }
  await sendReport(outlet, unstartedReport(error, order, env))
}

import type { Client } from '@svc/client/client'
import { cutText } from '@svc/contracts/cut-text'
import { version } from '@svc/contracts/version'
import { type Report, sendReport } from '../run/reports.ts'
import type { RunLog } from '../run/run-log.ts'
import { paceFor } from '../run/until-reached.ts'
import type { UnusableClaim } from './read-claim.ts'

const messageCharacters = 4_000

/** How a daemon reports a run that was claimed and has no folder. */
export interface Giver {
  client: Client
  log: RunLog
  /** Aborted when the daemon leaves; the lease then lapses unsaid. */
  signal: AbortSignal
  heartbeatSeconds: number
}

export async function giveBack(
  { client, log, signal, heartbeatSeconds }: Giver,
  held: NonNullable<UnusableClaim['held']>,
  report: Report,
): Promise<void> {
  const outlet = {
    client,
    held,
    persistence: { signal, pace: paceFor(heartbeatSeconds) },
    refused: (refusal: Error) => log.warn({ err: refusal }, 'it could not be given back'),
  }
  await sendReport(outlet, report).catch((failure: unknown) => {
    if (!signal.aborted) throw failure
  })
}

/** An order that names its run and its lease is reported to the service; any other is logged only. */
export async function refuseOrder(
  giver: Giver & { runner: string },
  { problem, held }: UnusableClaim,
): Promise<void> {
  giver.log.warn({ problem }, 'a claim was answered with what this runner cannot use')
  if (held === undefined) return
  const text = `Runner ${giver.runner} does not take this launch, because what the service told of it is not what version ${version} of the runner knows (${problem}): bring service and runner to one version, then launch again.`
  const message = cutText(text, messageCharacters)
  const body = { code: 'bad_order', message, phase: 'prepare' } as const
  await giveBack(giver, held, { call: 'reportFailed', body })
}

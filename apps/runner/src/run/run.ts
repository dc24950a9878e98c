import { type Client, createClient } from '@svc/client/client'
import type { RetryOptions } from '@svc/client/retry'
import { type ServiceError, isServiceError } from '@svc/contracts/errors'
import { tmpPath } from '../plan/paths.ts'
import type { Marker } from '../processes/find-processes.ts'
import { type JournalStep, appendJournal, readJournal } from './journal.ts'
import type { RunOrder } from './order.ts'
import { type Report, type ReportEnd, type Reports, openReports } from './reports.ts'
import { readRunOrder } from './run-folder.ts'
import type { RunLog } from './run-log.ts'
import { paceFor } from './until-reached.ts'
import { writeWhenPossible } from './write-when-possible.ts'

/** One run, as its supervisor holds it, or the daemon after the supervisor was lost. */
export interface Run {
  readonly folder: string
  /**
   * Where the agent keeps what must not be lost: session key and unsent calls. It is the agent's TMPDIR, because a
   * sandbox that takes everything but the working directory away still lets an agent write there, and it is outside of
   * the working tree, where agents clean with `git clean -fdx`.
   */
  readonly tmpDirectory: string
  readonly order: RunOrder
  readonly requestId: string
  readonly generation: number
  readonly marker: Marker
  readonly client: Client
  readonly log: RunLog
  readonly pace: RetryOptions
  readonly env: NodeJS.ProcessEnv
  /** Aborted when this generation was superseded: from then on nothing of the run is sent. */
  readonly fence: AbortSignal
  supersede: () => void
  /** Ends every attempt to send; what is in the outbox waits there for the next process. */
  leave: () => void
  /** Written to the disk before what it announces is done. */
  record: (step: JournalStep) => void
  /** Once the agent runs, a full disk must not end it: what could not be written is written later. False until then. */
  recordIfPossible: (step: JournalStep) => boolean
  steps: () => JournalStep[]
  /** Resolves once the service accepted the report or refused it for good. */
  report: (report: Report) => Promise<ReportEnd>
  readonly reports: Reports
  /** The last commits that this process has pushed of it, by resource. */
  readonly pushed: Map<string, string>
}

/** `env` holds SVC_USER_TOKEN: what the run's reports are sent with. */
export function openRun(folder: string, env: NodeJS.ProcessEnv, log: RunLog): Run {
  const order = readRunOrder(folder)
  const { id, generation } = order.assignment.executionRequest
  const fence = new AbortController()
  const pace = paceFor(order.heartbeatSeconds)
  const client = createClient({
    baseUrl: order.serviceUrl,
    token: env['SVC_USER_TOKEN'] ?? '',
    device: order.device.fingerprint,
  })
  const held = { requestId: id, leaseToken: order.leaseToken }
  const persistence = { signal: fence.signal, pace }
  const reports = openReports({
    folder,
    client,
    held,
    persistence,
    refused(error, report) {
      log.warn({ report, code: error.code }, error.message)
      if (isLeaseLost(error)) supersede()
    },
    notKept: (error) => log.warn({ err: error }, 'a report cannot be kept on the disk'),
  })

  function supersede(): void {
    if (fence.signal.aborted) return
    fence.abort(new Superseded())
    reports.drop()
  }

  function leave(): void {
    if (!fence.signal.aborted) fence.abort(new Error('another process goes on with this run'))
  }

  const writing = writeWhenPossible(log)

  return {
    folder,
    tmpDirectory: tmpPath(order),
    order,
    requestId: id,
    generation,
    marker: { requestId: id, generation },
    client,
    log,
    pace,
    env,
    fence: fence.signal,
    supersede,
    leave,
    record(step) {
      if (!writing.flush()) throw new Error('the journal of the run cannot be written')
      appendJournal(folder, step)
    },
    recordIfPossible: (step) => writing.write(() => appendJournal(folder, step)),
    steps: () => readJournal(folder),
    report: (report) => reports.send(report).end,
    reports,
    pushed: new Map(),
  }
}

/** Thrown by whatever waits when the generation turns out to be superseded. */
export class Superseded extends Error {
  override readonly name = 'Superseded'
  constructor() {
    super('This run was superseded: a newer one works on its objective.')
  }
}

export function isLeaseLost(error: unknown): error is ServiceError {
  return isServiceError(error) && error.code === 'lease_lost'
}

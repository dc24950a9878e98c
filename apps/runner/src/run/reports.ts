import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Client } from '@svc/client/client'
import { type ServiceError, isServiceError } from '@svc/contracts/errors'
import {
  CheckBody,
  ExitedBody,
  FailedBody,
  LaunchedBody,
  LaunchingBody,
  ReleasedBody,
} from '@svc/contracts/runner'
import { readIfThere, writeDurably } from '../files/durable-file.ts'
import { type Persistence, isFinalForRunner, untilReached } from './until-reached.ts'

const lease = { leaseToken: true } as const

/** A report as it waits in the outbox; the lease token is added when it is sent. */
export const Report = z.discriminatedUnion('call', [
  z.strictObject({ call: z.literal('reportLaunching'), body: LaunchingBody.omit(lease) }),
  z.strictObject({ call: z.literal('reportLaunched'), body: LaunchedBody.omit(lease) }),
  z.strictObject({ call: z.literal('reportFailed'), body: FailedBody.omit(lease) }),
  z.strictObject({ call: z.literal('reportReleased'), body: ReleasedBody.omit(lease) }),
  z.strictObject({ call: z.literal('reportCheck'), body: CheckBody.omit(lease) }),
  z.strictObject({ call: z.literal('reportExited'), body: ExitedBody.omit(lease) }),
])
export type Report = z.infer<typeof Report>

/** What became of a report: accepted (undefined) or refused for good. */
export type ReportEnd = ServiceError | undefined

export interface Reports {
  /** Sends the report behind all before it. Without room on the disk it is held in memory alone. */
  send: (report: Report) => Sending
  /** Resolves once all that was kept is sent. */
  settled: () => Promise<void>
  /** Superseded: nothing of it may be sent any more. */
  drop: () => void
}

export interface Sending {
  /** The report lies on the disk: whoever comes after a crash sends it. */
  isKept: boolean
  /** Resolves once the report was accepted or refused for good. */
  end: Promise<ReportEnd>
}

interface Lease {
  requestId: string
  leaseToken: string
}

export interface Outlet {
  folder: string
  client: Client
  held: Lease
  persistence: Persistence
  refused: (error: ServiceError, report: Report['call']) => void
  notKept: (error: unknown) => void
}

/** Opens the outbox of a run. What an earlier process left in it is sent first. */
export function openReports(outlet: Outlet): Reports {
  const { folder } = outlet
  const outbox = join(folder, 'outbox')
  mkdirSync(outbox, { recursive: true, mode: 0o700 })
  let next = (listKept(outbox).at(-1) ?? 0) + 1
  let line: Promise<unknown> = Promise.resolve()

  const pathOf = (number: number) => join(outbox, fileName(number))

  function enqueue(number: number, text: string): Promise<ReportEnd> {
    const sent = line.then(() => sendText(outlet, text, pathOf(number)))
    line = sent.catch(() => undefined)
    return sent
  }

  function keep(number: number, text: string): boolean {
    try {
      writeDurably(pathOf(number), text)
      return true
    } catch (error) {
      outlet.notKept(error)
      return false
    }
  }

  for (const number of listKept(outbox)) {
    void enqueue(number, readIfThere(pathOf(number)) ?? '').catch(() => undefined)
  }

  return {
    send(report) {
      // what cannot be sent must not be kept as the last word of a run
      const text = JSON.stringify(Report.parse(report))
      const number = next
      next += 1
      const isKept = keep(number, text)
      return { isKept, end: enqueue(number, text) }
    },
    settled: () => line.then(() => undefined),
    drop() {
      for (const number of listKept(outbox)) rmSync(pathOf(number), { force: true })
    },
  }
}

async function sendText(outlet: Outlet, text: string, path: string): Promise<ReportEnd> {
  try {
    return await sendReport(outlet, Report.parse(JSON.parse(text)))
  } finally {
    if (!outlet.persistence.signal.aborted) rmSync(path, { force: true })
  }
}

/** Sends one report past any outbox, until it is accepted or refused for good. */
export async function sendReport(
  { client, held, persistence, refused }: Omit<Outlet, 'folder' | 'notKept'>,
  { call, body }: Report,
): Promise<ReportEnd> {
  const { requestId, leaseToken } = held
  try {
    await untilReached(
      // The union pairs each call with its own body.
      (options) => client.call(call, { id: requestId, leaseToken, ...body } as never, options),
      persistence,
      isFinalForRunner,
    )
    return undefined
  } catch (error) {
    if (!isServiceError(error)) throw error
    refused(error, call)
    return error
  }
}

function listKept(outbox: string): number[] {
  if (!existsSync(outbox)) return []
  return readdirSync(outbox)
    .filter((name) => /^[0-9]+\.json$/.test(name))
    .map((name) => Number.parseInt(name, 10))
    .toSorted((one, other) => one - other)
}

function fileName(number: number): string {
  return `${String(number).padStart(4, '0')}.json`
}

import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Client } from '@svc/client/client'
import { type ServiceError, isServiceError } from '@svc/contracts/errors'
import {
  ExitedBody,
  FailedBody,
  LaunchedBody,
  LaunchingBody,
  ReleasedBody,
} from '@svc/contracts/runner'
import { readIfThere, writeDurably } from '../files/durable-file.ts'
import { type Persistence, untilReached } from './until-reached.ts'

const lease = { leaseToken: true } as const

/** A report as it waits in the outbox; the lease token is added when it is sent. */
export const Report = z.discriminatedUnion('call', [
  z.strictObject({ call: z.literal('reportLaunching'), body: LaunchingBody.omit(lease) }),
  z.strictObject({ call: z.literal('reportLaunched'), body: LaunchedBody.omit(lease) }),
  z.strictObject({ call: z.literal('reportFailed'), body: FailedBody.omit(lease) }),
  z.strictObject({ call: z.literal('reportReleased'), body: ReleasedBody.omit(lease) }),
  z.strictObject({ call: z.literal('reportExited'), body: ExitedBody.omit(lease) }),
])
export type Report = z.infer<typeof Report>

/** What became of a report: accepted (undefined) or refused for good. */
export type ReportEnd = ServiceError | undefined

export interface Reports {
  /** Keeps the report on the disk, sends it behind all before it, and resolves once it was accepted or refused. */
  send: (report: Report) => Promise<ReportEnd>
  /** Resolves once all that was kept is sent. */
  settled: () => Promise<void>
  /** Superseded: nothing of it may be sent any more. */
  drop: () => void
}

interface Lease {
  requestId: string
  leaseToken: string
}

/** Opens the outbox of a run. What an earlier process left in it is sent first. */
export function openReports(
  folder: string,
  client: Client,
  held: Lease,
  persistence: Persistence,
  onRefused: (error: ServiceError, report: Report['call']) => void,
): Reports {
  const outbox = join(folder, 'outbox')
  mkdirSync(outbox, { recursive: true, mode: 0o700 })
  let next = (listKept(outbox).at(-1) ?? 0) + 1
  let line: Promise<unknown> = Promise.resolve()

  function enqueue(number: number): Promise<ReportEnd> {
    const path = join(outbox, fileName(number))
    const sent = line.then(() => sendKept(path, client, held, persistence, onRefused))
    line = sent.catch(() => undefined)
    return sent
  }

  for (const number of listKept(outbox)) void enqueue(number).catch(() => undefined)

  return {
    send(report) {
      const number = next
      next += 1
      writeDurably(join(outbox, fileName(number)), JSON.stringify(report))
      return enqueue(number)
    },
    settled: () => line.then(() => undefined),
    drop() {
      for (const number of listKept(outbox)) rmSync(join(outbox, fileName(number)), { force: true })
    },
  }
}

async function sendKept(
  path: string,
  client: Client,
  { requestId, leaseToken }: Lease,
  persistence: Persistence,
  onRefused: (error: ServiceError, report: Report['call']) => void,
): Promise<ReportEnd> {
  const text = readIfThere(path)
  if (text === undefined) return undefined
  const { call, body } = Report.parse(JSON.parse(text))
  try {
    await untilReached(
      // The union pairs each call with its own body.
      (options) => client.call(call, { id: requestId, leaseToken, ...body } as never, options),
      persistence,
    )
    return undefined
  } catch (error) {
    if (!isServiceError(error)) throw error
    onRefused(error, call)
    return error
  } finally {
    if (!persistence.signal.aborted) rmSync(path, { force: true })
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

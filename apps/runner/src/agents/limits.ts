import type { MetLimit } from '@svc/contracts/agent-limit'
import type { LimitRow } from './limit-row.ts'
import { valueAt } from './output-path.ts'
import { readTime } from './read-time.ts'

/** What a tool said went wrong, whichever way it says so. */
export interface Said {
  message: string
  /** Of an error of its protocol. */
  code?: number | string | undefined
  exitCode?: number | null | undefined
}

type EndsAt = LimitRow['until'][number]

/** Whether an error is a limit of the tool's provider. The first row that knows it counts. */
export function classifyError(
  rows: readonly LimitRow[],
  said: Said,
  now: Date,
  where?: LimitRow['where'],
): MetLimit | undefined {
  const row = rows.find(
    (one) => one.at === undefined && one.where === where && isKnownBy(one, said),
  )
  return row && limitOf(row, said.message, { now, told: () => undefined })
}

function isKnownBy({ text, code, exitCode }: LimitRow, said: Said): boolean {
  return (
    (text === undefined || new RegExp(text, 'i').test(said.message)) &&
    (code === undefined || code === said.code) &&
    (exitCode === undefined || exitCode === said.exitCode)
  )
}

/** Takes a limit that a tool has met; `endsRun` where it goes on trying for long. */
export type OnLimit = (limit: MetLimit, endsRun: boolean) => void

/** Looks for limits among the events of a tool. A time may be told by another event than the limit. */
export function watchLimits(rows: readonly LimitRow[], onLimit: OnLimit): (event: unknown) => void {
  const times = rows.flatMap(({ until }) => until)
  const told = new Map<EndsAt, string>()
  return (event) => {
    for (const time of times) {
      const value = time.at && textAt(event, time.at)
      if (value !== undefined) told.set(time, value)
    }
    for (const row of rows) {
      const message = row.at && textAt(event, row.at)
      if (message === undefined || !isKnownBy({ ...row, exitCode: undefined }, { message }))
        continue
      const limit = limitOf(row, message, { now: new Date(), told: (time) => told.get(time) })
      onLimit(limit, row.endsRun === true)
      return
    }
  }
}

function textAt(event: unknown, at: NonNullable<LimitRow['at']>): string | undefined {
  const value = valueAt(event, at)
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

interface Times {
  now: Date
  told: (time: EndsAt) => string | undefined
}

function limitOf({ kind, until }: LimitRow, message: string, { now, told }: Times): MetLimit {
  for (const time of until) {
    const text = time.at ? told(time) : message
    const part = text !== undefined && time.text ? new RegExp(time.text, 'i').exec(text)?.[1] : text
    const ends = part ? readTime(time.form, part, now) : undefined
    if (ends && ends > now) return { kind, until: ends.toISOString() }
  }
  return { kind }
}

import { isUnavailable } from '@svc/domain/common/database-failures'
import type { Domain } from '@svc/domain/domain'
import { type ServiceWork, readWork } from '@svc/domain/operations/read-work'
import { checkReady } from '@svc/domain/ready'
import type { Log } from '@svc/process/log'
import { type DomainEnvironment, openDomainOf } from '@svc/service/domain'
import { z } from 'zod'
import { SetUpError, type Streams, readyPatienceMs } from './create-owner.ts'

export const StatusInput = z.object({ json: z.boolean().default(false) })
type StatusInput = z.infer<typeof StatusInput>

/** What the database says of the service, whether an app of it runs or not. Rejects where an app would not be ready. */
export async function runStatus(
  environment: DomainEnvironment,
  { log, input, say }: { log: Log; input: StatusInput; say: Streams },
): Promise<void> {
  await using domain = await openQuietly(environment, log)
  const failed = await checkReady(domain, readyPatienceMs)
  const work = failed.length === 0 ? await readWork(domain.db) : undefined
  if (input.json) say.stdout(`${JSON.stringify({ ready: work !== undefined, failed, work })}\n`)
  else if (work) say.stdout(describe(work))
  if (failed.length > 0) {
    throw new SetUpError(
      `No app of the service would be ready on this database, by: ${failed.join(', ')}. docs/monitoring.md says what each means.`,
    )
  }
}

async function openQuietly(environment: DomainEnvironment, log: Log): Promise<Domain> {
  try {
    return await openDomainOf({ ...environment, SVC_NOTIFY: false }, { log })
  } catch (error) {
    if (!isUnavailable(error)) throw error
    throw new SetUpError(
      'The database does not answer: see that DATABASE_URL names it, and that it runs.',
    )
  }
}

function describe(work: ServiceWork): string {
  const runs = work.runs.map(({ status, count }) => `${count} ${status}`)
  const waits = work.oldestQueuedSeconds
  const due = work.due.map(
    ({ queue, count, oldestSeconds }) =>
      `${count} ${queue}${count > 0 ? ` (the oldest ${span(oldestSeconds)} late)` : ''}`,
  )
  const lines = [
    ['Runs', runs.join(', ') || 'none'],
    ['Oldest run that waits', waits === null ? 'none' : span(waits)],
    ['Due for the dispatcher', due.join(', ')],
    ['Oldest transaction', span(work.oldestTransactionSeconds)],
    ['Database', `${Math.round(work.databaseBytes / 2 ** 20)} MiB`],
    [
      'Dead rows',
      work.deadRows.map(({ table, count }) => `${count} ${table}`).join(', ') || 'none',
    ],
  ]
  const width = Math.max(...lines.map(([name = '']) => name.length))
  return lines.map(([name = '', text]) => `${name.padEnd(width)}  ${text}\n`).join('')
}

function span(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`
}

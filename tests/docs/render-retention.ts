import { environmentVariables } from '@svc/contracts/environment'
import { goingAlong } from '@svc/domain/deletion/purge'
import { kept } from '@svc/domain/sweep/kept'
import { type Pass, type Period, type Retained, retention } from '@svc/domain/sweep/retention'
import { code, page, table } from './markdown.ts'

const passes: Readonly<Record<Pass, string>> = {
  'each minute': 'each minute, by the API',
  'each hour': 'each hour, by the API',
  'by the dispatcher': 'each hour, by the dispatcher',
}

const units: Readonly<Record<string, string>> = { days: 'day', hours: 'hour', mins: 'minute' }

function lengthOf(period: Period): string {
  return Object.entries(period)
    .map(([unit, length]) => `${length} ${units[unit]}${length === 1 ? '' : 's'}`)
    .join(' ')
}

function keptOf(row: Retained): string {
  if ('setting' in row) {
    const days = environmentVariables[row.setting].default
    return `${days} days after ${code(row.since)}, or what ${code(row.setting)} says`
  }
  if ('idOf' in row) return `${lengthOf(row.kept)} after they were made`
  return row.kept ? `${lengthOf(row.kept)} after ${code(row.since)}` : `until ${code(row.since)}`
}

export function retentionPage(): string {
  const rows = retention.map((row) => [
    row.what,
    row.clears ? `${code(row.table)}, its ${code(row.clears)} alone` : code(row.table),
    keptOf(row),
    passes[row.pass],
  ])
  return page(
    'Retention',
    'What the service keeps, for how long, and how it goes. Every table of the database stands below. What goes does so in batches, the oldest first, while the service is at work; a backup has what it had when it was taken.',
    '## What goes after a time',
    'Of two rows for one table the first is for some of its rows. The dispatcher keeps what an event that still waits needs.',
    table(['what', 'table', 'kept', 'looked for'], rows),
    '## What goes with its mission or objective',
    'A mission or objective that was deleted can be restored for 30 days. Then it goes for good, with all rows about it in these tables. The output of runs goes before that where a workspace keeps more than `SVC_LOG_QUOTA_GIB`, the oldest first.',
    goingAlong.toSorted().map(code).join(', '),
    '## What stays until somebody ends it',
    table(
      ['table', 'kept'],
      Object.entries(kept).map(([name, how]) => [code(name), how]),
    ),
    '## Jobs',
    'Jobs that wait stand in the schema `pgboss`, and go as they are done.',
  )
}

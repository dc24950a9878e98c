import { routineEvents } from '../../../data/contracts.values.ts'
import type { Line } from './line.ts'

/** A row of the timeline: a day begins, a line, or lines of which one stands for all. */
export type TimelineRow =
  | { kind: 'day'; key: string; at: string }
  | { kind: 'line'; key: string; line: Line }
  | { kind: 'folded'; key: string; lines: readonly Line[] }

const routine = new Set<string>(routineEvents)
/** So few are shown as they are. */
const foldFrom = 3

/**
 * What every run leaves in a history, and nobody needs to read each time, is folded behind its newest line where it
 * happened to one objective within a minute. What people and agents said is never folded.
 */
export function groupLines(lines: readonly Line[], now = Date.now()): TimelineRow[] {
  const rows: TimelineRow[] = []
  let run: Line[] = []
  let day = dayOf(new Date(now))
  const flush = () => {
    const [first, ...others] = run
    if (first !== undefined) {
      rows.push({ kind: 'line', key: first.id, line: first })
      // a fold keeps its key while newer lines come: it is named by the oldest of them
      const key = `fold-${run.at(-1)?.id ?? ''}`
      if (others.length >= foldFrom - 1) rows.push({ kind: 'folded', key, lines: others })
      else rows.push(...others.map((line) => ({ kind: 'line', key: line.id, line }) as const))
    }
    run = []
  }
  for (const line of lines) {
    const own = dayOf(new Date(line.createdAt))
    if (own !== day) {
      flush()
      rows.push({ kind: 'day', key: `day-${own}`, at: line.createdAt })
      day = own
    }
    if (!routine.has(line.type)) {
      flush()
      rows.push({ kind: 'line', key: line.id, line })
    } else {
      if (run[0] !== undefined && !isTogether(run[0], line)) flush()
      run.push(line)
    }
  }
  flush()
  return rows
}

function isTogether(one: Line, other: Line): boolean {
  return one.objectiveId === other.objectiveId && minuteOf(one) === minuteOf(other)
}

function minuteOf({ createdAt }: Line): number {
  return Math.floor(Date.parse(createdAt) / 60_000)
}

/** By the clock of whoever looks. */
function dayOf(moment: Date): string {
  return `${moment.getFullYear()}-${moment.getMonth() + 1}-${moment.getDate()}`
}

import type { Tx } from '@svc/db/database'
import type { ProjectStatusRow } from '@svc/db/tables'

export type Status = Pick<ProjectStatusRow, 'id' | 'project_id' | 'type' | 'label'>

/** What the locks of a transaction read for the movers beside the rows. */
interface Read {
  now: Date
  /** In their order, of the project of the mission that is locked. */
  statuses: readonly Status[]
  /** Of one objective: how many others of its mission have started and have a place. */
  startedBeside: ReadonlyMap<string, number>
}
const reads = new WeakMap<object, Read>()

export function keepRead(tx: Tx, read: Partial<Read> & Pick<Read, 'now'>): void {
  const { statuses = [], startedBeside = new Map<string, number>() } = read
  reads.set(tx, { statuses, startedBeside, ...reads.get(tx), ...read })
}

/** The time of the transaction, in milliseconds as every answer tells it. Whoever moves a row has locked it before. */
export function nowOf(tx: Tx): Date {
  const read = reads.get(tx)
  if (!read) throw new Error('nothing is locked in this transaction yet')
  return read.now
}

export function secondsFromNow(tx: Tx, seconds: number): Date {
  return new Date(nowOf(tx).getTime() + seconds * 1000)
}

export function statusesOf(tx: Tx, projectId: string): readonly Status[] {
  return reads.get(tx)?.statuses.filter((status) => status.project_id === projectId) ?? []
}

export function startedBeside(tx: Tx, objectiveId: string): number | undefined {
  return reads.get(tx)?.startedBeside.get(objectiveId)
}

/** An objective has started, or has gone back: what was counted is over. */
export function forgetStarted(tx: Tx): void {
  const read = reads.get(tx)
  if (read) reads.set(tx, { ...read, startedBeside: new Map() })
}

import type { ProjectStatusRow } from '@svc/db/tables'

/** Whoever locks several takes them in this order, before the first write: two that do so never wait in a circle. */
export const lockOrder = ['mission', 'objective', 'request', 'session'] as const
type LockKind = (typeof lockOrder)[number]

export type Status = Pick<ProjectStatusRow, 'id' | 'project_id' | 'type' | 'label'>

interface ReadUnderLock {
  now: Date
  /** In their order, of the project of the mission that is locked. */
  statuses: readonly Status[]
  /** For each objective: how many others of its mission have started and have a position. */
  othersStarted: ReadonlyMap<string, number>
}

/** What a transaction has locked, and what the statements that lock read for the movers in addition to the rows. */
export interface LocksHeld {
  /** Throws when it comes before one that is taken already. */
  take(kind: LockKind): void
  /** Throws when none of these is taken. */
  require(kind: LockKind): void
  keep(read: Partial<ReadUnderLock> & Pick<ReadUnderLock, 'now'>): void
  /** The time of the transaction, in milliseconds as every answer has it. Whoever moves a row has locked it before. */
  readonly now: Date
  secondsFromNow(seconds: number): Date
  statusesOf(projectId: string): readonly Status[]
  othersStarted(objectiveId: string): number | undefined
  /** An objective has started, or has gone back: what was counted is over. */
  discardStarted(): void
}

export function createLocksHeld(): LocksHeld {
  const taken = new Set<LockKind>()
  let last = 0
  let read: ReadUnderLock | undefined
  const now = () => {
    if (!read) throw new Error('nothing is locked in this transaction yet')
    return read.now
  }
  return {
    take(kind) {
      const rank = lockOrder.indexOf(kind)
      if (rank < last) {
        throw new Error(
          `a ${kind} was locked after a ${lockOrder[last]}; the order is ${lockOrder.join(', ')}`,
        )
      }
      last = rank
      taken.add(kind)
    },
    require(kind) {
      if (!taken.has(kind)) throw new Error(`no ${kind} is locked in this transaction`)
    },
    keep: (more) => void (read = { statuses: [], othersStarted: new Map(), ...read, ...more }),
    get now() {
      return now()
    },
    secondsFromNow: (seconds) => new Date(now().getTime() + seconds * 1000),
    statusesOf: (projectId) => read?.statuses.filter((one) => one.project_id === projectId) ?? [],
    othersStarted: (objectiveId) => read?.othersStarted.get(objectiveId),
    discardStarted: () => void (read &&= { ...read, othersStarted: new Map() }),
  }
}

import type { Tx } from '@svc/db/database'
import type { RawBuilder } from 'kysely'
import type { Channel } from '../jobs/wake-hub.ts'
import type { LocksHeld } from './locks-held.ts'
import type { PendingWrites } from './pending-writes.ts'
import type { Step } from './steps.ts'

/**
 * The transaction of one use case. Whoever reads is given it as any transaction. Whoever changes something adds that to
 * its pending writes; these are flushed before its next statement, at the latest with its commit.
 */
export interface UnitOfWork extends Tx {
  readonly pending: PendingWrites
  readonly locks: LocksHeld
  /** What is pending, as parts of the caller's next statement: for a read that finds nothing of it. */
  readonly takePending: () => RawBuilder<unknown> | undefined
  /** The channels to notify once it has committed, and what about. */
  readonly wakeUps: Map<Channel, Set<string>>
  /** What whoever follows missions will hear of. */
  readonly steps: Step[]
  readonly parts: Parts
}

/** The state of one try of a transaction. */
export interface Tried {
  /** Without them, a part that fails ends this try of the transaction, and the next try has them. */
  haveSavepoints: boolean
  /** Some part was run: a failure of the commit may be that of a part. */
  ranParts: boolean
}

/** How `savepoint` undoes a part of this transaction. */
interface Parts {
  readonly tried: Tried
  /** How much has been written, or waits to be. */
  countWrites(): number
  /** How much waits to be written last. */
  countLast(): number
  /**
   * What is pending will not be written, but for so much of what is written last, and the failure of what was flushed is
   * thrown no more.
   */
  drop(keptLast: number): Promise<void>
}

/** Asks for a wake-up on the channel once this transaction has committed; about anything when nothing is named. */
export function wakeAfterCommit({ wakeUps }: UnitOfWork, channel: Channel, about = ''): void {
  wakeUps.set(channel, (wakeUps.get(channel) ?? new Set()).add(about))
}

import type { Queryable } from '@svc/db/database'
import type { Actor } from './actor.ts'

/** Somebody who called before, taken for who they were then until it is known who they are. */
export interface Recalled {
  readonly actor: Actor
  /**
   * Asked by each transaction, so that it goes out with what that reads, and of none where none has asked before. False
   * where they may not call any more, or anything of what they may do has changed.
   */
  readonly isStillThat: (tx?: Queryable) => Promise<boolean>
}

/** Nothing of the call counts: it is made again by who they are now. */
export class CallerChanged extends Error {}

/** For what is written by no transaction of the call, which may have read it already. */
export async function requireSameCaller(caller: Recalled | undefined): Promise<void> {
  if (caller && !(await caller.isStillThat())) throw new CallerChanged()
}

import { channel } from 'node:diagnostics_channel'

/** What a transaction has done on the way of a mission. */
export interface Step {
  /** An entry of the history was written, an event was published, or its deliveries were made. */
  did: 'record' | 'publish' | 'fan_out'
  /** Of the entry or the event. */
  id: string
  type: string
  workspaceId: string
  missionId: string
  objectiveId: string | null
  executionRequestId: string | null
  /** How many were made of the event. */
  deliveries?: number
}

export interface Commit {
  /** By the clock of `performance`. */
  startedAt: number
  steps: readonly Step[]
}

/** While nobody listens, nothing is noted. */
const committed = channel('svc:commit')

interface Noting {
  readonly steps: Step[]
}

/** Told once the transaction has committed, and not where it has not. */
export function noteStep(tx: Noting, make: () => Step): void {
  if (committed.hasSubscribers) tx.steps.push(make())
}

export function tellCommit(startedAt: number, steps: readonly Step[]): void {
  if (committed.hasSubscribers) committed.publish({ startedAt, steps })
}

/** Hears of each transaction of this process that has committed, in the context of its call, until disposed. */
export function hearCommits(heard: (commit: Commit) => void): Disposable {
  // nobody else publishes under this name
  const listener = (commit: unknown) => heard(commit as Commit)
  committed.subscribe(listener)
  return {
    [Symbol.dispose]() {
      committed.unsubscribe(listener)
    },
  }
}

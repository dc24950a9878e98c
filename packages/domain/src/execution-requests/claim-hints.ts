import type { Tx } from '@svc/db/database'
import type { ExecutionRequestRow } from '@svc/db/tables'
import { wakeAfterCommit } from '../commit/transaction.ts'
import { channels } from '../commit/wake-hub.ts'

type Place = Pick<ExecutionRequestRow, 'workspace_id' | 'mission_id'>

/** Once this has committed, who waits for a request and can take what is queued in this mission is woken. */
export function wakeClaims(tx: Tx, of: Place): void {
  wakeAfterCommit(tx, channels.requests, wordOf(of))
}

/** A runner has something that it had not: what it waits for may be queued anywhere. */
export function wakeAllClaims(tx: Tx): void {
  wakeAfterCommit(tx, channels.requests)
}

export function wordOf({ workspace_id: workspaceId, mission_id: missionId }: Place): string {
  return `${workspaceId}/${missionId}`
}

/** The workspace and mission of every word; undefined when they are about anything. */
export function readWords(words: readonly string[]): [string, string][] | undefined {
  const missions: [string, string][] = []
  for (const word of words) {
    const [workspaceId, missionId] = word.split('/')
    if (!workspaceId || !missionId) return undefined
    missions.push([workspaceId, missionId])
  }
  return missions
}

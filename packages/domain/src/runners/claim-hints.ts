import type { ExecutionRequestRow } from '@svc/db/tables'
import { channels } from '../jobs/wake-hub.ts'
import { type UnitOfWork, wakeAfterCommit } from '../commit/unit-of-work.ts'

type Named = Pick<ExecutionRequestRow, 'workspace_id' | 'id'>

/** Once this has committed, a claim that waits and can take this request is woken. */
export function wakeClaims(tx: UnitOfWork, request: Named): void {
  wakeAfterCommit(tx, channels.requests, encodeHint(request))
}

/** A runner has something that it had not: what it waits for may be any request. */
export function wakeAllClaims(tx: UnitOfWork): void {
  wakeAfterCommit(tx, channels.requests)
}

const nextOnes = 20

/** This run is over on its branch: the next ones of its mission there are no longer for its runner alone. */
export async function wakeClaimsAfter(tx: UnitOfWork, ended: ExecutionRequestRow): Promise<void> {
  if (ended.resource_key === null) return
  const next = await tx
    .selectFrom('execution_requests')
    .select(['workspace_id', 'id'])
    .where('workspace_id', '=', ended.workspace_id)
    .where('mission_id', '=', ended.mission_id)
    .where('resource_key', '=', ended.resource_key)
    .where('status', '=', 'queued')
    .limit(nextOnes)
    .execute()
  for (const request of next) wakeClaims(tx, request)
}

export function encodeHint({ workspace_id: workspaceId, id }: Named): string {
  return `${workspaceId}/${id}`
}

/** The requests that these hints name; undefined when one of them is about anything. */
export function decodeHints(hints: readonly string[]): Named[] | undefined {
  const named: Named[] = []
  for (const hint of hints) {
    const [workspaceId, id] = hint.split('/')
    if (!workspaceId || !id) return undefined
    named.push({ workspace_id: workspaceId, id })
  }
  return named
}

import type { AuditAction } from '@svc/contracts/audit'
import type { Tx } from '@svc/db/database'
import type { Actor } from '../actor.ts'
import { carriedBy } from '../commit/transaction.ts'
import { newId } from '../ids.ts'
import type { UseCase } from '../use-case.ts'

export interface AuditFacts {
  action: AuditAction
  targetId: string
  /** Null or left out: of the workspace as a whole. */
  projectId?: string | null
  /** Never a secret. */
  details: Record<string, unknown>
}

/** One entry of the audit trail, in the transaction of what it tells. */
export function recordAudit(
  tx: Tx,
  { from }: UseCase,
  { workspaceId, userId, credential }: Actor,
  facts: AuditFacts,
): void {
  add(tx, workspaceId, facts, {
    actor_id: userId,
    token_prefix: credential.prefix,
    came_from: from ?? null,
  })
}

/** Done on the server by whoever owns the database. */
export function recordAuditOfServer(tx: Tx, workspaceId: string, facts: AuditFacts): void {
  add(tx, workspaceId, facts, { actor_id: null, token_prefix: null, came_from: null })
}

interface Doer {
  actor_id: string | null
  token_prefix: string | null
  came_from: string | null
}

function add(
  tx: Tx,
  workspaceId: string,
  { action, targetId, projectId = null, details }: AuditFacts,
  doer: Doer,
): void {
  carriedBy(tx).collected.add('audit_trail', {
    workspace_id: workspaceId,
    id: newId(),
    ...doer,
    action,
    project_id: projectId,
    target_id: targetId,
    details: JSON.stringify(details),
  })
}

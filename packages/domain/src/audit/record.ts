import type { AuditAction } from '@svc/contracts/audit'
import type { Actor } from '../common/actor.ts'
import { newId } from '../common/ids.ts'
import type { UseCase } from '../use-case.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'

export interface AuditFacts {
  action: AuditAction
  targetId: string
  /** Null or left out: of the workspace as a whole. */
  projectId?: string | null
  /** Never a secret. */
  details: Record<string, unknown>
}

/** Who did it, and by what token, where it was one. */
export interface AuditedBy extends Pick<Actor, 'workspaceId' | 'userId'> {
  credential: Pick<Actor['credential'], 'prefix'>
}

/** One entry of the audit trail, in the transaction of the change that it is about. */
export function recordAudit(
  tx: UnitOfWork,
  { from }: UseCase,
  { workspaceId, userId, credential }: AuditedBy,
  facts: AuditFacts,
): void {
  add(tx, workspaceId, facts, {
    actor_id: userId,
    token_prefix: credential.prefix,
    came_from: from ?? null,
  })
}

/**
 * What a person does with their account shows in each workspace of theirs, since an admin reads the trail of one alone.
 * `isProven` false: somebody who could not sign in as them.
 */
export async function recordAuditOfPerson(
  tx: UnitOfWork,
  { from }: Pick<UseCase, 'from'>,
  userId: string,
  { isProven = true, ...facts }: AuditFacts & { isProven?: boolean },
): Promise<void> {
  const memberships = await tx
    .selectFrom('memberships')
    .select('workspace_id')
    .where('user_id', '=', userId)
    .execute()
  const doer = { actor_id: isProven ? userId : null, token_prefix: null, came_from: from ?? null }
  for (const { workspace_id } of memberships) add(tx, workspace_id, facts, doer)
}

/** Done by a person in a browser, about a workspace that they need not be a member of. */
export function recordAuditOfPersonIn(
  tx: UnitOfWork,
  { from }: UseCase,
  { workspaceId, userId }: { workspaceId: string; userId: string },
  facts: AuditFacts,
): void {
  add(tx, workspaceId, facts, { actor_id: userId, token_prefix: null, came_from: from ?? null })
}

/** Done because of a call that did not say who makes it. */
export function recordAuditOfNobody(
  tx: UnitOfWork,
  { from }: UseCase,
  workspaceId: string,
  facts: AuditFacts,
): void {
  add(tx, workspaceId, facts, { actor_id: null, token_prefix: null, came_from: from ?? null })
}

/** Done on the server by whoever owns the database. */
export function recordAuditOfServer(tx: UnitOfWork, workspaceId: string, facts: AuditFacts): void {
  add(tx, workspaceId, facts, { actor_id: null, token_prefix: null, came_from: null })
}

interface Doer {
  actor_id: string | null
  token_prefix: string | null
  came_from: string | null
}

function add(
  tx: UnitOfWork,
  workspaceId: string,
  { action, targetId, projectId = null, details }: AuditFacts,
  doer: Doer,
): void {
  tx.pending.append('audit_trail', {
    workspace_id: workspaceId,
    id: newId(),
    ...doer,
    action,
    project_id: projectId,
    target_id: targetId,
    details: JSON.stringify(details),
  })
}

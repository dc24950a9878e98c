import type { AuditAction } from '@svc/contracts/audit'
import type { AuditTrailRow } from '@svc/db/tables'
import type { Actor } from '../common/actor.ts'
import { newId } from '../common/ids.ts'
import { recordChange } from '../commit/records.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'
import { everyMembership } from '../entities/workspaces/queries.ts'
import type { UseCase } from '../use-case.ts'

export interface AuditFacts {
  action: AuditAction
  targetId: string
  /** Null or left out: of the workspace as a whole. */
  projectId?: string | null
  /** Never a secret. */
  details: Record<string, unknown>
}

/** Who did it, and by what. */
export interface AuditedBy extends Pick<Actor, 'workspaceId' | 'userId'> {
  credential: Pick<Actor['credential'], 'kind' | 'id' | 'prefix' | 'run'>
}

/** One entry of the audit trail, in the transaction of the change that it is about. */
export function recordAudit(
  tx: UnitOfWork,
  { from }: UseCase,
  { workspaceId, userId, credential }: AuditedBy,
  facts: AuditFacts,
): void {
  const { kind, id, prefix, run } = credential
  add(tx, workspaceId, facts, {
    actor_id: userId,
    by_kind: kind,
    token_id: kind === 'sign_in' ? null : id,
    execution_request_id: run?.requestId ?? null,
    token_prefix: prefix,
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
    .selectFrom(everyMembership.as('m'))
    .select('m.workspace_id')
    .where('m.user_id', '=', userId)
    .execute()
  const doer = { ...(isProven ? inBrowser(userId) : nobody), came_from: from ?? null }
  for (const { workspace_id } of memberships) add(tx, workspace_id, facts, doer)
}

/** Done by a person in a browser, about a workspace that they need not be a member of. */
export function recordAuditOfPersonIn(
  tx: UnitOfWork,
  { from }: UseCase,
  { workspaceId, userId }: { workspaceId: string; userId: string },
  facts: AuditFacts,
): void {
  add(tx, workspaceId, facts, { ...inBrowser(userId), came_from: from ?? null })
}

/** Done because of a call that did not say who makes it. */
export function recordAuditOfNobody(
  tx: UnitOfWork,
  { from }: UseCase,
  workspaceId: string,
  facts: AuditFacts,
): void {
  add(tx, workspaceId, facts, { ...nobody, came_from: from ?? null })
}

/** Done on the server by whoever owns the database. */
export function recordAuditOfServer(tx: UnitOfWork, workspaceId: string, facts: AuditFacts): void {
  add(tx, workspaceId, facts, { ...nobody, came_from: null })
}

type Doer = Pick<
  AuditTrailRow,
  'actor_id' | 'by_kind' | 'token_id' | 'execution_request_id' | 'token_prefix' | 'came_from'
>

const nobody = {
  actor_id: null,
  by_kind: null,
  token_id: null,
  execution_request_id: null,
  token_prefix: null,
} as const

function inBrowser(userId: string) {
  return { ...nobody, actor_id: userId, by_kind: 'sign_in' } as const
}

function add(
  tx: UnitOfWork,
  workspaceId: string,
  { action, targetId, projectId = null, details }: AuditFacts,
  doer: Doer,
): void {
  const id = newId()
  tx.pending.append('audit_trail', {
    workspace_id: workspaceId,
    id,
    ...doer,
    action,
    project_id: projectId,
    target_id: targetId,
    details: JSON.stringify(details),
  })
  const entry = { workspace_id: workspaceId, id, project_id: projectId }
  recordChange(tx, { audit_entry: entry }, action)
}

import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { Workspace } from '@svc/contracts/workspace'
import type { WorkspaceRow } from '@svc/db/tables'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { recordAudit } from '../audit/record.ts'
import { refuseIfRevised } from '../common/revision.ts'
import { recordChange } from '../commit/records.ts'
import { inTransaction } from '../commit/transaction.ts'
import type { UseCase } from '../use-case.ts'

export async function getWorkspace(
  { domain }: UseCase,
  actor: Actor,
): Promise<RouteOutput<'getWorkspace'>> {
  authorize(actor, 'workspace:read')
  const row = await domain.db
    .selectFrom('workspaces')
    .selectAll()
    .where('id', '=', actor.workspaceId)
    .executeTakeFirstOrThrow()
  return { workspace: viewWorkspace(row) }
}

export function updateWorkspace(
  context: UseCase,
  actor: Actor,
  { name, maxTokenDays, expectedRevision }: RouteInput<'updateWorkspace'>,
): Promise<RouteOutput<'updateWorkspace'>> {
  authorize(actor, 'workspace:update')
  return inTransaction(context, async (tx) => {
    const { workspaceId: id } = actor
    const before = await tx
      .selectFrom('workspaces')
      .selectAll()
      .where('id', '=', id)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow()
    refuseIfRevised(before.revision, expectedRevision, () => ({ workspace: viewWorkspace(before) }))
    const values = {
      name: name ?? before.name,
      max_token_days: maxTokenDays ?? before.max_token_days,
      revision: before.revision + 1,
    }
    const isSame = values.name === before.name && values.max_token_days === before.max_token_days
    if (isSame) return { workspace: viewWorkspace(before) }
    await tx.updateTable('workspaces').set(values).where('id', '=', id).execute()
    const after = { ...before, ...values }
    const details = { from: viewWorkspace(before), to: viewWorkspace(after), name: after.name }
    recordAudit(tx, context, actor, { action: 'workspace.changed', targetId: id, details })
    recordChange(tx, { workspace: { ...after, workspace_id: id } }, 'update')
    return { workspace: viewWorkspace(after) }
  })
}

export function viewWorkspace(row: WorkspaceRow): Workspace {
  const { id, slug, name, max_token_days: maxTokenDays, revision } = row
  return { id, slug, name, maxTokenDays, revision }
}

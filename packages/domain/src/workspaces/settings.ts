import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { Workspace } from '@svc/contracts/workspace'
import type { WorkspaceRow } from '@svc/db/tables'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { recordAudit } from '../audit/record.ts'
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
  return { workspace: view(row) }
}

export function updateWorkspace(
  context: UseCase,
  actor: Actor,
  { name, maxTokenDays }: RouteInput<'updateWorkspace'>,
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
    const after = {
      ...before,
      name: name ?? before.name,
      max_token_days: maxTokenDays ?? before.max_token_days,
    }
    const isSame = after.name === before.name && after.max_token_days === before.max_token_days
    if (isSame) return { workspace: view(before) }
    await tx
      .updateTable('workspaces')
      .set({ name: after.name, max_token_days: after.max_token_days })
      .where('id', '=', id)
      .execute()
    const details = { from: view(before), to: view(after), name: after.name }
    recordAudit(tx, context, actor, { action: 'workspace.changed', targetId: id, details })
    return { workspace: view(after) }
  })
}

function view({ id, slug, name, max_token_days: maxTokenDays }: WorkspaceRow): Workspace {
  return { id, slug, name, maxTokenDays }
}

import type { Invitation } from '@svc/contracts/member'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { Queryable } from '@svc/db/database'
import { sql } from 'kysely'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { readPage } from '../common/page.ts'
import type { UseCase } from '../use-case.ts'

/** Open ones, the newest first. */
export async function listInvitations(
  { domain }: UseCase,
  actor: Actor,
  input: RouteInput<'listInvitations'>,
): Promise<RouteOutput<'listInvitations'>> {
  authorize(actor, 'member:invite')
  const query = invitationsOf(domain.db, actor.workspaceId).orderBy('i.id', 'desc')
  const { items, nextCursor } = await readPage(query, 'i.id', input)
  return { invitations: items.map(viewInvitation), ...nextCursor }
}

export function invitationsOf(db: Queryable, workspaceId: string) {
  return db
    .selectFrom('invitations as i')
    .innerJoin('users as u', 'u.id', 'i.invited_by')
    .select(['i.id', 'i.email', 'i.role', 'i.created_at', 'i.expires_at'])
    .select(['u.id as inviter_id', 'u.name as inviter_name'])
    .where('i.workspace_id', '=', workspaceId)
    .where('i.expires_at', '>', sql<Date>`app.now()`)
}

type InvitationRow = Awaited<
  ReturnType<ReturnType<typeof invitationsOf>['executeTakeFirstOrThrow']>
>

export function viewInvitation(row: InvitationRow): Invitation {
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    invitedBy: { id: row.inviter_id, name: row.inviter_name },
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
  }
}

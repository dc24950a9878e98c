import type { Member } from '@svc/contracts/member'
import type { Queryable } from '@svc/db/database'
import { notFound } from '../common/errors.ts'

/** Whoever belongs to the workspace, disabled or not. */
export function membersOf(db: Queryable, workspaceId: string) {
  return db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['m.user_id', 'm.role', 'm.created_at', 'u.name', 'u.email'])
    .where('m.workspace_id', '=', workspaceId)
}

type MemberRow = Awaited<ReturnType<ReturnType<typeof membersOf>['executeTakeFirstOrThrow']>>

export async function requireMember(
  db: Queryable,
  workspaceId: string,
  id: string,
): Promise<Member> {
  const row = await membersOf(db, workspaceId).where('m.user_id', '=', id).executeTakeFirst()
  if (!row) throw notFound('member', id)
  return viewMember(row)
}

export function viewMember(row: MemberRow): Member {
  return {
    id: row.user_id,
    name: row.name,
    email: row.email,
    role: row.role,
    joinedAt: row.created_at.toISOString(),
  }
}

import { ServiceError } from '@svc/contracts/errors'
import { type Permission, type Role, rolePermissions } from '@svc/contracts/permissions'
import type { Tx } from '@svc/db/database'
import { sql } from 'kysely'
import { unauthenticated } from '../access/authenticate.ts'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'

/**
 * The members of a workspace change one after the other: each change locks the row of the workspace, so that what it
 * counts and whose rights it goes by stay as they are until it is done.
 */
export async function lockMembers(tx: Tx, workspaceId: string): Promise<void> {
  await tx
    .selectFrom('workspaces')
    .select('id')
    .where('id', '=', workspaceId)
    .forNoKeyUpdate()
    .execute()
}

/** The same for somebody who calls, by the role that they have from then on: it may have been another when they called. */
export async function lockMembersFor(tx: Tx, actor: Actor, permission: Permission): Promise<Actor> {
  authorize(actor, permission)
  await lockMembers(tx, actor.workspaceId)
  const role = await roleOf(tx, actor)
  if (role === undefined) throw unauthenticated()
  const held = rolePermissions[role].filter((one) => actor.permissions.has(one))
  const now = { ...actor, role, permissions: new Set(held) }
  authorize(now, permission)
  return now
}

interface Membership {
  workspaceId: string
  userId: string
}

/** The role of a member who is not disabled. */
export async function roleOf(
  tx: Tx,
  { workspaceId, userId }: Membership,
): Promise<Role | undefined> {
  const row = await tx
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select('m.role')
    .where('m.workspace_id', '=', workspaceId)
    .where('m.user_id', '=', userId)
    .where('u.disabled_at', 'is', null)
    .executeTakeFirst()
  return row?.role
}

/** What an owner is, only an owner decides. */
export function requireOwnerFor({ role }: { role: Role }, concerned: readonly Role[]): void {
  if (role === 'owner' || !concerned.includes('owner')) return
  throw new ServiceError(
    'forbidden',
    'Only an owner makes, changes, removes or resets an owner. Ask one of them.',
  )
}

/** A token gives nobody more than it has: a role, only if the token may do all that the role may. */
export function requireWithinToken({ permissions }: Actor, role: Role): void {
  const beyond = rolePermissions[role].find((one) => !permissions.has(one))
  if (beyond === undefined) return
  throw new ServiceError(
    'forbidden',
    `Whoever is ${role} may do more than this token (${beyond}), so it makes nobody that. Use one of full scope.`,
    { permission: beyond },
  )
}

/** Asked while the members are held. */
export async function requireOtherOwner(
  tx: Tx,
  { workspaceId, userId }: Membership,
): Promise<void> {
  const { rows } = await sql`
    select from memberships m join users u on u.id = m.user_id
     where m.workspace_id = ${workspaceId} and m.role = 'owner' and m.user_id <> ${userId}
       and u.disabled_at is null
     limit 1`.execute(tx)
  if (rows.length > 0) return
  throw new ServiceError(
    'last_owner',
    'A workspace keeps an owner, and this is the last one. Make somebody else an owner first.',
    undefined,
    { next: { operation: 'listMembers', params: {} } },
  )
}

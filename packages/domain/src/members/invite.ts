import { ServiceError } from '@svc/contracts/errors'
import { limits } from '@svc/contracts/limits'
import { Role, rolePermissions } from '@svc/contracts/permissions'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { Tx } from '@svc/db/database'
import { sql } from 'kysely'
import type { Actor } from '../common/actor.ts'
import { recordAudit } from '../audit/record.ts'
import { recordChange } from '../commit/records.ts'
import { inTransaction } from '../commit/transaction.ts'
import { newId } from '../common/ids.ts'
import { linkOf } from '../people/links.ts'
import { newSecret } from '../common/secrets.ts'
import type { UseCase } from '../use-case.ts'
import { lockMembersFor, requireWithinToken } from './lock-members.ts'
import { invitationsOf, viewInvitation } from './list-invitations.ts'
import { membersOf } from './queries.ts'

/** In place of an open one for the same address. */
export function createInvitation(
  context: UseCase,
  actor: Actor,
  { email, role }: RouteInput<'createInvitation'>,
): Promise<RouteOutput<'createInvitation'>> {
  return inTransaction(
    context,
    async (tx) => {
      const now = await lockMembersFor(tx, actor, 'member:invite')
      if (!mayInvite(now.role, role)) throw beyondOwn(now.role)
      requireWithinToken(now, role)
      await refuseIfMember(tx, actor.workspaceId, email)
      const link = newSecret()
      const id = await putInvitation(tx, now, { email, role, hash: link.hash })
      const row = await invitationsOf(tx, actor.workspaceId)
        .where('i.id', '=', id)
        .executeTakeFirstOrThrow()
      const details = { name: email, role }
      recordAudit(tx, context, now, { action: 'member.invited', targetId: id, details })
      recordChange(tx, { invitation: { workspace_id: actor.workspaceId, id, email } }, 'create')
      return { invitation: viewInvitation(row), link: linkOf(context.baseUrl, 'invitation', link) }
    },
    { secretAnswer: true },
  )
}

/** At most the own role, and only while that allows to invite. */
export function mayInvite(own: Role, role: Role): boolean {
  const isWithin = Role.options.indexOf(own) <= Role.options.indexOf(role)
  return isWithin && rolePermissions[own].includes('member:invite')
}

function beyondOwn(own: Role): ServiceError {
  return new ServiceError(
    'forbidden',
    `You are ${own} here, and an invitation gives no more than that. Ask somebody who is more.`,
  )
}

async function refuseIfMember(tx: Tx, workspaceId: string, email: string): Promise<void> {
  const member = await membersOf(tx, workspaceId)
    .where(sql<boolean>`lower(u.email) = ${email.toLowerCase()}`)
    .executeTakeFirst()
  if (!member) return
  throw new ServiceError('already_exists', `${email} is ${member.role} here already.`, {
    id: member.user_id,
  })
}

async function putInvitation(
  tx: Tx,
  { workspaceId, userId }: Actor,
  { email, role, hash }: { email: string; role: Role; hash: Buffer },
): Promise<string> {
  const id = newId()
  await sql`
    insert into invitations (workspace_id, id, email, role, invited_by, secret_hash, expires_at)
    values (${workspaceId}, ${id}, ${email}, ${role}, ${userId}, ${hash},
            app.now() + make_interval(hours => ${limits.invitationHours}))
    on conflict (workspace_id, lower(email)) do update set
      id = excluded.id, email = excluded.email, role = excluded.role,
      invited_by = excluded.invited_by, secret_hash = excluded.secret_hash,
      created_at = app.now(), expires_at = excluded.expires_at`.execute(tx)
  return id
}

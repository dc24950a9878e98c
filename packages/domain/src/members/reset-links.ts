import { ServiceError } from '@svc/contracts/errors'
import type { HeldAccess } from '@svc/contracts/held-access'
import { limits } from '@svc/contracts/limits'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { Tx } from '@svc/db/database'
import { sql } from 'kysely'
import { requireWhole } from '../access/require-whole.ts'
import type { Actor } from '../common/actor.ts'
import { recordAudit, recordAuditOfServer } from '../audit/record.ts'
import { inTransaction } from '../commit/transaction.ts'
import type { Domain } from '../domain.ts'
import { everyMembership } from '../entities/workspaces/queries.ts'
import { listHeldAccess } from '../people/access/held-access.ts'
import { linkOf } from '../people/links.ts'
import { type Secret, newSecret } from '../common/secrets.ts'
import type { UseCase } from '../use-case.ts'
import { lockMembersFor, requireOwnerFor } from './lock-members.ts'
import { requireMember } from './queries.ts'

/**
 * Accounts span workspaces: an admin resets nobody who is in another one, too. The link opens all that the person may,
 * their own as well, so it takes a credential that may as much. It says what ends once it is used.
 */
export function createResetLink(
  context: UseCase,
  actor: Actor,
  { id }: RouteInput<'createResetLink'>,
): Promise<RouteOutput<'createResetLink'>> {
  return inTransaction(
    context,
    async (tx) => {
      const { workspaceId } = actor
      const now = await lockMembersFor(tx, actor, 'member:update')
      requireWhole(actor, 'A link to a new password is made')
      const { name, role } = await requireMember(tx, workspaceId, id)
      requireOwnerFor(now, [role])
      if (await isElsewhere(tx, { workspaceId, userId: id })) throw elsewhere(name)
      const link = newSecret()
      const expiresAt = await putResetLink(tx, id, link, { workspaceId, userId: now.userId })
      const facts = { action: 'password.reset_link_made', targetId: id, details: { name } } as const
      recordAudit(tx, context, now, facts)
      return {
        link: linkOf(context.baseUrl, 'reset', link),
        expiresAt: expiresAt.toISOString(),
        ends: await listHeldAccess(tx, id),
      }
    },
    { secretAnswer: true },
  )
}

/** For whoever owns the database, and anybody in it. */
export function createResetLinkOnServer(
  domain: Domain,
  { email, baseUrl }: { email: string; baseUrl: string },
): Promise<{ link: string; expiresAt: Date; ends: HeldAccess }> {
  return inTransaction({ domain }, async (tx) => {
    const person = await tx
      .selectFrom('users')
      .select(['id', 'name'])
      .where(sql<boolean>`lower(email) = ${email.toLowerCase()}`)
      .executeTakeFirst()
    if (!person) throw new ServiceError('not_found', `No account of ${email} here.`)
    const link = newSecret()
    const expiresAt = await putResetLink(tx, person.id, link, null)
    const { id: targetId, name } = person
    for (const { workspace_id: workspaceId } of await membershipsOf(tx, person.id)) {
      const facts = { action: 'password.reset_link_made', targetId, details: { name } } as const
      recordAuditOfServer(tx, workspaceId, facts)
    }
    const ends = await listHeldAccess(tx, person.id)
    return { link: linkOf(baseUrl, 'reset', link), expiresAt, ends }
  })
}

/** A deleted workspace counts: whoever has the account of its owner restores it. */
export function membershipsOf(tx: Tx, userId: string) {
  return tx
    .selectFrom(everyMembership.as('m'))
    .select(['m.workspace_id', 'm.role'])
    .where('m.user_id', '=', userId)
    .execute()
}

interface Membership {
  workspaceId: string
  userId: string
}

async function isElsewhere(tx: Tx, { workspaceId, userId }: Membership): Promise<boolean> {
  const memberships = await membershipsOf(tx, userId)
  return memberships.some((one) => one.workspace_id !== workspaceId)
}

/** In place of an older one. */
async function putResetLink(
  tx: Tx,
  userId: string,
  { hash }: Secret,
  maker: Membership | null,
): Promise<Date> {
  const { rows } = await sql<{ expires_at: Date }>`
    insert into reset_links (user_id, made_in, made_by, secret_hash, expires_at)
    values (${userId}, ${maker?.workspaceId ?? null}, ${maker?.userId ?? null}, ${hash},
            app.now() + make_interval(hours => ${limits.resetLinkHours}))
    on conflict (user_id) do update set
      made_in = excluded.made_in, made_by = excluded.made_by,
      secret_hash = excluded.secret_hash, created_at = app.now(), expires_at = excluded.expires_at
    returning expires_at`.execute(tx)
  // what was put is returned
  return rows[0]?.expires_at ?? new Date(0)
}

function elsewhere(name: string): ServiceError {
  return new ServiceError(
    'forbidden',
    `${name} belongs to another workspace, too, so no admin of this one makes a link for them. Whoever runs the service does: svc-admin reset-link, or where it runs by npm start: npm run -s admin -- reset-link.`,
  )
}

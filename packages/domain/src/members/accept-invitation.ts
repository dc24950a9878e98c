import { ServiceError } from '@svc/contracts/errors'
import type { Role } from '@svc/contracts/permissions'
import type { Queryable } from '@svc/db/database'
import { sql } from 'kysely'
import { recordAuditOfPersonIn } from '../audit/record.ts'
import { recordChange } from '../commit/records.ts'
import { inTransaction } from '../commit/transaction.ts'
import type { Domain } from '../domain.ts'
import { newId } from '../common/ids.ts'
import { markBrowser } from '../people/known-browser.ts'
import { linkIsGone } from '../people/links.ts'
import { hashSecret } from '../common/secrets.ts'
import { hashNewPassword, storePassword } from '../people/passwords.ts'
import type { Person } from '../entities/people/person.ts'
import { startSignIn } from '../people/sign-ins.ts'
import type { UseCase } from '../use-case.ts'
import { lockMembers, roleOf } from './lock-members.ts'
import { mayInvite } from './invite.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'

export interface OpenInvitation {
  email: string
  role: Role
  workspace: { id: string; slug: string; name: string }
  invitedBy: string
  /** There is an account of this address, whose person signs in; nobody else accepts for them. */
  isKnown: boolean
}

/** What a link invites to; `not_found` once it is no longer good. */
export async function findInvitation({ db }: Domain, secret: string): Promise<OpenInvitation> {
  const row = await openInvitation(db, secret)
    .innerJoin('workspaces as w', 'w.id', 'i.workspace_id')
    .select([
      'w.id',
      'w.slug',
      'w.name',
      'i.email',
      'i.role',
      'm.role as own_role',
      'u.name as inviter',
    ])
    .select(
      sql<boolean>`exists (select from users k where lower(k.email) = lower(i.email))`.as('known'),
    )
    .executeTakeFirst()
  if (!row || !mayInvite(row.own_role, row.role)) throw linkIsGone()
  const { id, slug, name, email, role, inviter, known } = row
  return { email, role, workspace: { id, slug, name }, invitedBy: inviter, isKnown: known }
}

/** With whoever made it, as long as they are an able member. */
function openInvitation(db: Queryable, secret: string) {
  return db
    .selectFrom('invitations as i')
    .innerJoin('users as u', 'u.id', 'i.invited_by')
    .innerJoin('memberships as m', (join) =>
      join.onRef('m.workspace_id', '=', 'i.workspace_id').onRef('m.user_id', '=', 'i.invited_by'),
    )
    .where('i.secret_hash', '=', hashSecret(secret))
    .where('i.expires_at', '>', sql<Date>`app.now()`)
    .where('u.disabled_at', 'is', null)
}

/** Somebody with an account accepts what was meant for their address; who is a member already stays what they are. */
export async function acceptInvitation(
  context: UseCase,
  person: Person,
  secret: string,
): Promise<OpenInvitation> {
  const invitation = await findInvitation(context.domain, secret)
  const { workspace } = invitation
  await inTransaction(context, async (tx) => {
    const { email, role } = await takeInvitation(tx, workspace.id, secret)
    if (email.toLowerCase() !== person.email.toLowerCase()) throw forAnother(email)
    await join(tx, context, { workspaceId: workspace.id, userId: person.userId, role })
  })
  return invitation
}

export interface NewPerson {
  name: string
  /** Undefined where nobody signs in by one. */
  password: string | undefined
  /** What the browser calls itself. */
  browser: string
}

/** Somebody new accepts, and is signed in. */
export async function acceptAsNewPerson(
  context: UseCase,
  secret: string,
  { name, password, browser }: NewPerson,
): Promise<{ secret: string; mark: string }> {
  const { domain, from } = context
  const { email: invited, workspace, isKnown } = await findInvitation(domain, secret)
  if (isKnown) throw forAnother(invited)
  const hash = password === undefined ? undefined : await hashNewPassword(password, [name, invited])
  return inTransaction(context, async (tx) => {
    const { email, role } = await takeInvitation(tx, workspace.id, secret)
    const { rows } = await sql<{ id: string }>`
      insert into users (id, email, name) values (${newId()}, ${email}, ${name})
      on conflict (lower(email)) do nothing returning id`.execute(tx)
    const userId = rows[0]?.id
    // an account of this address was made meanwhile
    if (userId === undefined) throw forAnother(email)
    if (hash !== undefined) await storePassword(tx, userId, hash)
    await join(tx, context, { workspaceId: workspace.id, userId, role })
    const { secret: kept } = await startSignIn(tx, domain.keys, {
      userId,
      browser,
      from,
      by: 'invitation',
    })
    return { secret: kept, mark: await markBrowser(tx, domain.keys, email) }
  })
}

/** While the members are held, so that it is accepted once, and only if its inviter may give that role at this moment. */
async function takeInvitation(
  tx: UnitOfWork,
  workspaceId: string,
  secret: string,
): Promise<{ email: string; role: Role }> {
  await lockMembers(tx, workspaceId)
  const taken = await tx
    .deleteFrom('invitations')
    .where('secret_hash', '=', hashSecret(secret))
    .where('expires_at', '>', sql<Date>`app.now()`)
    .returning(['id', 'email', 'role', 'invited_by'])
    .executeTakeFirst()
  if (!taken) throw linkIsGone()
  const own = await roleOf(tx, { workspaceId, userId: taken.invited_by })
  if (own === undefined || !mayInvite(own, taken.role)) throw linkIsGone()
  recordChange(tx, { invitation: { ...taken, workspace_id: workspaceId } }, 'accept')
  return taken
}

interface Joining {
  workspaceId: string
  userId: string
  role: Role
}

async function join(tx: UnitOfWork, context: UseCase, joining: Joining): Promise<void> {
  const { workspaceId, userId, role } = joining
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('memberships')
    .values({ workspace_id: workspaceId, user_id: userId, role })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows === 0n) return
  const facts = { action: 'member.joined', targetId: userId, details: { role } } as const
  recordAuditOfPersonIn(tx, context, joining, facts)
  recordChange(tx, { member: { workspace_id: workspaceId, id: userId, role } }, 'join')
}

function forAnother(email: string): ServiceError {
  return new ServiceError('forbidden', `This invitation is for ${email}. Sign in as that person.`)
}

import { ServiceError } from '@svc/contracts/errors'
import type { Role, TokenPreset } from '@svc/contracts/permissions'
import { presetPermissions } from '@svc/contracts/permissions'
import type { Tx } from '@svc/db/database'
import { sql } from 'kysely'
import type { Domain } from '../../domain.ts'
import { recordAuditOfServer } from '../../audit/record.ts'
import { newId } from '../../common/ids.ts'
import type { KeyRing } from '../../common/key-ring.ts'
import { inTransaction } from '../../commit/transaction.ts'
import { mintToken } from '../../user-tokens/create.ts'
import { mintedAs, viewUserToken } from '../../user-tokens/views.ts'
import type { UnitOfWork } from '../../commit/unit-of-work.ts'

export interface NewWorkspace {
  slug: string
  name: string
}

export interface NewMember {
  workspaceId: string
  email: string
  name: string
  role: Role
}

export interface NewToken {
  workspaceId: string
  userId: string
  label: string
  preset: TokenPreset
  expiresInDays: number
}

/** By slug; an existing workspace is answered as it is. */
export function ensureWorkspace(domain: Domain, input: NewWorkspace): Promise<string> {
  return inTransaction({ domain }, (tx) => putWorkspace(tx, input))
}

/** By e-mail; an existing person keeps the role that they have. */
export async function ensureMember(domain: Domain, input: NewMember): Promise<string> {
  const { userId } = await inTransaction({ domain }, (tx) => putMember(tx, input))
  return userId
}

/** Who owns it longest, whatever address they have by now; this person where nobody does yet. */
export function ensureOwnerOf(domain: Domain, input: Omit<NewMember, 'role'>): Promise<string> {
  return inTransaction({ domain }, async (tx) => {
    const owner = await tx
      .selectFrom('memberships')
      .select('user_id')
      .where('workspace_id', '=', input.workspaceId)
      .where('role', '=', 'owner')
      .orderBy('created_at')
      .executeTakeFirst()
    return owner?.user_id ?? (await putMember(tx, { ...input, role: 'owner' })).userId
  })
}

/** A token for a member, made on the server without a credential: who can do this owns the database. */
export function issueToken(domain: Domain, input: NewToken): Promise<string> {
  return inTransaction({ domain }, (tx) => putToken(tx, domain.keys, input))
}

export async function putWorkspace(tx: Tx, { slug, name }: NewWorkspace): Promise<string> {
  const row = await tx
    .insertInto('workspaces')
    .values({ id: newId(), slug, name })
    .onConflict((conflict) => conflict.column('slug').doUpdateSet({ slug }))
    .returning(['id', 'deleted_at'])
    .executeTakeFirstOrThrow()
  if (row.deleted_at !== null) throw isDeleted(slug)
  return row.id
}

function isDeleted(slug: string): ServiceError {
  return new ServiceError(
    'already_exists',
    `The workspace ${slug} was deleted, and its slug is free only once it has gone for good. Have it restored (svc-admin restore-workspace), or choose another slug.`,
  )
}

/** `role` is the one that the person has from now on, which is another when they were a member before. */
export async function putMember(
  tx: Tx,
  { workspaceId, email, name, role }: NewMember,
): Promise<{ userId: string; isNew: boolean; role: string }> {
  const { rows } = await sql<{ id: string }>`
    insert into users (id, email, name) values (${newId()}, ${email}, ${name})
    on conflict (lower(email)) do update set email = users.email
    returning id`.execute(tx)
  const userId = rows[0]?.id ?? ''
  const made = await tx
    .insertInto('memberships')
    .values({ workspace_id: workspaceId, user_id: userId, role })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'user_id']).doNothing())
    .returning('role')
    .executeTakeFirst()
  if (made) return { userId, isNew: true, role }
  const member = await tx
    .selectFrom('memberships')
    .select('role')
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return { userId, isNew: false, role: member.role }
}

export async function putToken(tx: UnitOfWork, keys: KeyRing, input: NewToken): Promise<string> {
  const permissions = presetPermissions[input.preset]
  const { row, token } = await mintToken(tx, keys, {
    ...input,
    permissions,
    projectIds: null,
    audiences: ['api', 'mcp'],
  })
  const facts = mintedAs(viewUserToken(row, permissions))
  recordAuditOfServer(tx, input.workspaceId, facts)
  return token
}

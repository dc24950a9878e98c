import type { Role, TokenPreset } from '@svc/contracts/permissions'
import { presetPermissions } from '@svc/contracts/permissions'
import { sql } from 'kysely'
import type { Domain } from '../domain.ts'
import { newId } from '../ids.ts'
import { inTransaction } from '../commit/transaction.ts'
import { mintToken } from '../user-tokens/create.ts'

/** By slug; an existing workspace is answered as it is. */
export async function ensureWorkspace(
  domain: Domain,
  input: { slug: string; name: string },
): Promise<string> {
  return inTransaction({ domain }, async (tx) => {
    const row = await tx
      .insertInto('workspaces')
      .values({ id: newId(), slug: input.slug, name: input.name })
      .onConflict((conflict) => conflict.column('slug').doUpdateSet({ slug: input.slug }))
      .returning('id')
      .executeTakeFirstOrThrow()
    return row.id
  })
}

/** By e-mail; an existing person keeps the role that they have. */
export async function ensureMember(
  domain: Domain,
  input: { workspaceId: string; email: string; name: string; role: Role },
): Promise<string> {
  return inTransaction({ domain }, async (tx) => {
    const { rows } = await sql<{ id: string }>`
      insert into users (id, email, name) values (${newId()}, ${input.email}, ${input.name})
      on conflict (lower(email)) do update set email = users.email
      returning id`.execute(tx)
    const userId = rows[0]?.id ?? ''
    await tx
      .insertInto('memberships')
      .values({ workspace_id: input.workspaceId, user_id: userId, role: input.role })
      .onConflict((conflict) => conflict.columns(['workspace_id', 'user_id']).doNothing())
      .execute()
    return userId
  })
}

/** A token for a member, made on the server without a credential: who can do this owns the database. */
export async function issueToken(
  domain: Domain,
  input: {
    workspaceId: string
    userId: string
    label: string
    preset: TokenPreset
    expiresInDays: number
  },
): Promise<string> {
  return inTransaction({ domain }, async (tx) => {
    const { token } = await mintToken(tx, domain.keys, {
      ...input,
      permissions: presetPermissions[input.preset],
      projectIds: null,
      audiences: ['api', 'mcp'],
    })
    return token
  })
}

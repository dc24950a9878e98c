import { randomUUID } from 'node:crypto'
import type { Role } from '@svc/contracts/permissions'
import { connectApplication } from '@svc/domain/testing/furnished'
import { restoreWorkspaceOnServer } from '@svc/domain/workspaces/restore'
import { sql } from 'kysely'
import { type Preparation, made } from './prepare.ts'

/** Another member of the workspace. */
function someMember(role: Role): Preparation {
  return async ({ world }) => ({ input: { id: (await world.person(role)).userId } })
}

/** They leave, and are back with all that they had. */
const leaving: Preparation = async ({ world, person, role }) => {
  const { workspaceId, userId } = await person.actor()
  const undo = async () => {
    const { db } = world.domain
    await sql`insert into memberships values (${workspaceId}, ${userId}, ${role})`.execute(db)
    await sql`
      update user_tokens set revoked_at = null
       where user_id = ${userId} and revoked_reason = 'membership'`.execute(db)
  }
  return { input: { workspace: 'here' }, undo }
}

/** It is back with all that was in it, but for its name. */
const deleting: Preparation = async ({ world, person }) => {
  const { workspace } = await person.call('getWorkspace', {})
  const undo = async () => {
    await restoreWorkspaceOnServer(world.domain, workspace)
  }
  return { input: { name: workspace.name }, undo }
}

/** Members, invitations, and the tokens of others. */
export const ofMembers: Readonly<Record<string, Preparation>> = {
  'DELETE /api/members/me': leaving,
  'POST /api/workspace/delete': deleting,
  'GET /api/members/:id/access': someMember('member'),
  'DELETE /api/members/:id': someMember('member'),
  'DELETE /api/invitations/:id': async ({ person }) => {
    const order = { email: `${randomUUID()}@example.com` }
    return { input: { id: (await person.call('createInvitation', order)).invitation.id } }
  },
  'DELETE /api/workspace/user-tokens/:id': async ({ world }) => {
    const { credential } = await (await world.person('viewer')).actor()
    return { input: { id: credential.id } }
  },
  'DELETE /api/connected-applications/:id': async ({ domain, person }) => ({
    input: { id: await connectApplication(domain, person) },
  }),
}

/** What only an owner decides, and what anybody is answered of themselves. */
export const ofOwners: Readonly<Record<string, Readonly<Record<string, Preparation>>>> = {
  'GET /api/members/:id/access': {
    oneself: async ({ person }) => ({ input: { id: (await person.actor()).userId } }),
  },
  'PATCH /api/members/:id': { 'an owner': someMember('owner') },
  'DELETE /api/members/:id': { 'an owner': someMember('owner') },
  'POST /api/members/:id/reset-link': { 'an owner': someMember('owner') },
  'POST /api/invitations': { 'as owner': made(() => ({ role: 'owner' })) },
}

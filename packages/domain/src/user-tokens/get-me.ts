import type { RouteOutput } from '@svc/contracts/rest'
import type { OwnWorkspace } from '@svc/contracts/workspace'
import type { Actor } from '../common/actor.ts'
import type { Domain } from '../domain.ts'
import type { UseCase } from '../use-case.ts'
import { viewUserToken } from './views.ts'
import { ownTokens } from './queries.ts'
import { workspacesOf } from '../entities/workspaces/queries.ts'

const mostListed = 200

export async function getMe({ domain }: UseCase, actor: Actor): Promise<RouteOutput<'getMe'>> {
  const user = await domain.db
    .selectFrom('users')
    .select(['id', 'name', 'email'])
    .where('id', '=', actor.userId)
    .executeTakeFirstOrThrow()
  const workspace = await domain.db
    .selectFrom('workspaces')
    .select(['id', 'slug', 'name'])
    .where('id', '=', actor.workspaceId)
    .executeTakeFirstOrThrow()
  const { kind, id } = actor.credential
  const token =
    kind === 'token'
      ? await ownTokens(domain.db, actor).where('t.id', '=', id).executeTakeFirst()
      : undefined
  return {
    user,
    workspace,
    role: actor.role,
    workspaces: await workspacesFor(domain, actor, { ...workspace, role: actor.role }),
    token: token ? viewUserToken(token, token.scopes) : null,
    signInId: kind === 'sign_in' ? id : null,
  }
}

/** A browser says which one it means, and may mean any of them; a token is of one and shows no other. */
async function workspacesFor(
  { db }: Domain,
  { userId, credential }: Actor,
  present: OwnWorkspace,
): Promise<OwnWorkspace[]> {
  if (credential.kind !== 'sign_in') return [present]
  return workspacesOf(db, userId).orderBy('w.slug').limit(mostListed).execute()
}

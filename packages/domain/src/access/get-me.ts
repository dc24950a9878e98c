import type { RouteOutput } from '@svc/contracts/rest'
import type { Actor } from '../actor.ts'
import type { UseCase } from '../use-case.ts'
import { viewUserToken } from '../user-tokens/views.ts'
import { ownTokens } from '../user-tokens/queries.ts'

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
  const token = await ownTokens(domain.db, actor)
    .where('t.id', '=', actor.credential.id)
    .executeTakeFirst()
  return {
    user,
    workspace,
    role: actor.role,
    token: token ? viewUserToken(token, token.scopes) : null,
  }
}

import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { listMemberAccess } from '../people/access/held-access.ts'
import type { UseCase } from '../use-case.ts'
import { requireMember } from './queries.ts'

/** Before somebody is removed, or leaves. */
export async function getMemberAccess(
  { domain }: UseCase,
  actor: Actor,
  { id }: RouteInput<'getMemberAccess'>,
): Promise<RouteOutput<'getMemberAccess'>> {
  authorize(actor, 'member:read')
  if (id !== actor.userId) authorize(actor, 'member:remove')
  const { workspaceId } = actor
  await requireMember(domain.db, workspaceId, id)
  return { ends: await listMemberAccess(domain.db, { workspaceId, userId: id }) }
}

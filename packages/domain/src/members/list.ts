import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { pageOf, readCursor } from '../common/page.ts'
import type { UseCase } from '../use-case.ts'
import { membersOf, viewMember } from './queries.ts'

/** The newest accounts first. */
export async function listMembers(
  { domain }: UseCase,
  actor: Actor,
  { cursor, limit }: RouteInput<'listMembers'>,
): Promise<RouteOutput<'listMembers'>> {
  authorize(actor, 'member:read')
  const before = readCursor(cursor)
  let query = membersOf(domain.db, actor.workspaceId)
    .orderBy('m.user_id', 'desc')
    .limit(limit + 1)
  if (before) query = query.where('m.user_id', '<', before)
  const { items, nextCursor } = pageOf(await query.execute(), limit, (row) => row.user_id)
  return { members: items.map(viewMember), ...nextCursor }
}

import type { Role } from '@svc/contracts/permissions'
import type { UseCase } from '../use-case.ts'
import type { Person } from './person.ts'

const mostListed = 200

export interface OwnWorkspace {
  id: string
  slug: string
  name: string
  role: Role
}

/** Those that a person is a member of, by name. */
export function listOwnWorkspaces(
  { domain }: UseCase,
  { userId }: Person,
): Promise<OwnWorkspace[]> {
  return domain.db
    .selectFrom('memberships as m')
    .innerJoin('workspaces as w', 'w.id', 'm.workspace_id')
    .select(['w.id', 'w.slug', 'w.name', 'm.role'])
    .where('m.user_id', '=', userId)
    .orderBy('w.name')
    .orderBy('w.id')
    .limit(mostListed)
    .execute()
}

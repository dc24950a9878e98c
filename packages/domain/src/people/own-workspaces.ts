import type { OwnWorkspace } from '@svc/contracts/workspace'
import type { UseCase } from '../use-case.ts'
import { workspacesOf } from '../entities/workspaces/queries.ts'
import type { Person } from '../entities/people/person.ts'

const mostListed = 200

/** Those that a person is a member of, by name. */
export function listOwnWorkspaces(
  { domain }: UseCase,
  { userId }: Person,
): Promise<OwnWorkspace[]> {
  return workspacesOf(domain.db, userId)
    .orderBy('w.name')
    .orderBy('w.id')
    .limit(mostListed)
    .execute()
}

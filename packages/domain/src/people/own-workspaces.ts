import type { OwnWorkspace } from '@svc/contracts/workspace'
import type { UseCase } from '../use-case.ts'
import { deletedWorkspacesOf, workspacesOf } from '../entities/workspaces/queries.ts'
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

/** A workspace that is deleted, and when it has gone for good. */
export interface DeletedWorkspace {
  id: string
  slug: string
  name: string
  restorableUntil: Date
}

/** Those of a person that they can restore, by name. */
export function listDeletedWorkspaces(
  { domain }: UseCase,
  { userId }: Person,
): Promise<DeletedWorkspace[]> {
  return deletedWorkspacesOf(domain.db, userId)
    .orderBy('w.name')
    .orderBy('w.id')
    .limit(mostListed)
    .execute()
}

import { appAddress } from '@svc/contracts/links'
import type { Actor } from '../common/actor.ts'
import { slugOfWorkspace } from '../entities/workspaces/queries.ts'
import type { UseCase } from '../use-case.ts'

/** Where a person sees what an agent of theirs has made; left out where the service does not know its own address. */
export async function pageAddress(
  { domain, baseUrl }: UseCase,
  { workspaceId }: Actor,
  path: string,
): Promise<{ page?: string }> {
  if (baseUrl === undefined) return {}
  return { page: appAddress(baseUrl, await slugOfWorkspace(domain.db, workspaceId), path) }
}

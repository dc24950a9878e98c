import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { isUuid } from '@svc/contracts/ids'
import { sql } from 'kysely'
import { authorize, whereWithinReach } from '../access/authorize.ts'
import type { Actor } from '../actor.ts'
import type { UseCase } from '../use-case.ts'
import { viewProject } from './views.ts'

const mostCandidates = 50

/**
 * The projects that a name, slug or id may mean, the best first; all of them without one. `project` is set when there
 * is no doubt: an id, a slug or a name that is exactly this, else the only candidate.
 */
export async function resolveProject(
  { domain }: UseCase,
  actor: Actor,
  input: RouteInput<'resolveProject'>,
): Promise<RouteOutput<'resolveProject'>> {
  authorize(actor, 'project:read')
  const query = input.query ?? ''
  const pattern = `%${query.replace(/[\\%_]/g, String.raw`\$&`)}%`
  let found = domain.db
    .selectFrom('projects')
    .selectAll()
    .where('workspace_id', '=', actor.workspaceId)
    .where(whereWithinReach(actor, { projectId: sql`id` }))
    .orderBy(sql`lower(slug) = lower(${query}) or lower(name) = lower(${query})`, 'desc')
    .orderBy('slug')
    .limit(mostCandidates)
  if (isUuid(query)) found = found.where('id', '=', query)
  else if (query) found = found.where(sql<boolean>`slug ilike ${pattern} or name ilike ${pattern}`)
  const candidates = (await found.execute()).map(viewProject)
  const exact = candidates.filter(
    ({ id, slug, name }) => id === query || [slug, name].some((one) => sameText(one, query)),
  )
  const [project, another] = exact.length > 0 ? exact : candidates
  return { ...(query && project && !another && { project }), candidates }
}

function sameText(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

import { cutText } from '@svc/contracts/cut-text'
import { ServiceError } from '@svc/contracts/errors'
import { nearestOf } from '@svc/contracts/nearest'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { Queryable } from '@svc/db/database'
import { isUuid } from '@svc/contracts/ids'
import { sql } from 'kysely'
import { authorize, whereVisibleTo } from '../../access/authorize.ts'
import type { Actor } from '../../common/actor.ts'
import type { UseCase } from '../../use-case.ts'
import { viewProject } from './views.ts'

const mostCandidates = 50
const mostNamed = 10

/**
 * The projects that a name, slug or id may mean, the best first; all of them without one. `project` is set when there
 * is no doubt: an id, a slug or a name that is exactly this, else the only candidate. What names none is refused with the
 * nearest.
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
    .where(whereVisibleTo(actor, { projectId: sql`id` }))
    .orderBy(sql`lower(slug) = lower(${query}) or lower(name) = lower(${query})`, 'desc')
    .orderBy('slug')
    .limit(mostCandidates)
  if (isUuid(query)) found = found.where('id', '=', query)
  else if (query) found = found.where(sql<boolean>`slug ilike ${pattern} or name ilike ${pattern}`)
  const candidates = (await found.execute()).map(viewProject)
  if (query && candidates.length === 0) throw await unknownProject(domain.db, actor, query)
  const exact = candidates.filter(
    ({ id, slug, name }) => id === query || [slug, name].some((one) => sameText(one, query)),
  )
  const [project, another] = exact.length > 0 ? exact : candidates
  return { ...(query && project && !another && { project }), candidates }
}

const mostKnown = 200

/** Those that it may have meant by their spelling, else the first that there are. */
async function unknownProject(db: Queryable, actor: Actor, query: string): Promise<ServiceError> {
  const known = await db
    .selectFrom('projects')
    .select(['slug', 'name'])
    .where('workspace_id', '=', actor.workspaceId)
    .where(whereVisibleTo(actor, { projectId: sql`id` }))
    .orderBy('slug')
    .limit(mostKnown)
    .execute()
  const near = nearestOf(
    query.toLowerCase(),
    known.flatMap(({ slug, name }) => [slug, name.toLowerCase()]),
  )
  const meant = known.find(
    ({ slug, name }) => near !== undefined && [slug, name.toLowerCase()].includes(near),
  )
  const names = (meant ? [meant] : known.slice(0, mostNamed)).map(({ slug }) => slug)
  const advice = meant
    ? `Did you mean ${names.join(', ')}?`
    : names.length > 0
      ? `There are ${names.join(', ')}.`
      : 'There is none yet.'
  return new ServiceError(
    'not_found',
    `No project is called ${cutText(query, 100)}. ${advice}`,
    { nearest: names },
    { next: { operation: 'listProjects', params: {} } },
  )
}

function sameText(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

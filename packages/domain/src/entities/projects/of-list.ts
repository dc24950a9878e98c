import { isUuid } from '@svc/contracts/ids'
import type { Queryable } from '@svc/db/database'
import { sql } from 'kysely'
import { authorize } from '../../access/authorize.ts'
import type { Actor } from '../../common/actor.ts'
import { notFound } from '../../common/errors.ts'
import { scopeOfProject } from './queries.ts'

/** The ids of those that a list of work is narrowed to, each of which the caller may see; undefined where it is not narrowed. */
export async function projectsOfList(
  db: Queryable,
  actor: Actor,
  refs: readonly string[] | undefined,
): Promise<string[] | undefined> {
  if (refs === undefined) return undefined
  const [ids, slugs] = [refs.filter(isUuid), refs.filter((ref) => !isUuid(ref))]
  const found = await db
    .selectFrom('projects')
    .selectAll()
    .where('workspace_id', '=', actor.workspaceId)
    .where(sql<boolean>`(id = any(${ids}::uuid[]) or slug = any(${slugs}::text[]))`)
    .execute()
  return refs.map((ref) => {
    const project = found.find(({ id, slug }) => id === ref.toLowerCase() || slug === ref)
    if (!project) throw notFound('project', ref)
    authorize(actor, 'mission:read', scopeOfProject(project, ref))
    return project.id
  })
}

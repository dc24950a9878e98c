import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { sql } from 'kysely'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { eligible, expected, takeable } from '../entities/execution-requests/takeable.ts'
import { requireProject, scopeOfProject } from '../entities/projects/queries.ts'
import type { UseCase } from '../use-case.ts'

const most = 1000

/** By the rules of the claim, for whoever starts a runner for each launch. Decision 150. */
export async function countWaiting(
  { domain: { db } }: UseCase,
  actor: Actor,
  { agents, projects, label }: RouteInput<'countWaiting'>,
): Promise<RouteOutput<'countWaiting'>> {
  authorize(actor, 'execution_request:claim')
  const { workspaceId } = actor
  const named = projects?.map(async (ref) => {
    const project = await requireProject(db, workspaceId, ref)
    authorize(actor, 'execution_request:claim', scopeOfProject(project, ref))
    return project.id
  })
  const projectIds = named ? await Promise.all(named) : actor.credential.projectIds
  const { rows } = await sql<{ waiting: number }>`
    with recursive ${expected({ workspaceId, projectIds, agents, label })}, ${eligible}
    select count(*)::integer as waiting
      from (select from eligible part cross join lateral (${takeable} limit ${most}) e
             limit ${most}) found`.execute(db)
  return { waiting: rows[0]?.waiting ?? 0 }
}

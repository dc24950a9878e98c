import type { RunCounts } from '@svc/contracts/execution-request'
import { limits } from '@svc/contracts/limits'
import { type RunState, liveRunStates } from '@svc/contracts/states'
import type { Queryable } from '@svc/db/database'
import { gather } from '@svc/db/gather'
import { type RawBuilder, sql } from 'kysely'
import { whereVisibleTo } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { selectCountOfRuns, visibleRuns } from '../entities/execution-requests/newest-runs.ts'

interface Counted {
  /** Undefined: those of every project. */
  projectIds: readonly string[] | undefined
  /** Of deliveries. */
  since: string
}

const most = limits.countedRuns
const queued: readonly RunState[] = ['queued']
const running = liveRunStates.filter((state) => state !== 'queued' && state !== 'parked')

/** What of the work is where it is now. Each number is bounded, and so is what is read for it. */
export async function countRuns(
  db: Queryable,
  actor: Actor,
  { projectIds, since }: Counted,
): Promise<RunCounts> {
  const ofStates = (states: readonly RunState[]) =>
    selectCountOfRuns(actor.workspaceId, visibleRuns(actor, { projectIds, states }), most)
  const counts = await gather(db, {
    queued: ofStates(queued),
    running: ofStates(running),
    delivered: selectDelivered(actor, { projectIds, since }),
  })
  const countOf = ([row]: { count: number }[]) => row?.count ?? 0
  return {
    queued: countOf(counts.queued),
    running: countOf(counts.running),
    delivered: countOf(counts.delivered),
  }
}

/** Found by their ids, which begin with the time of the process that made them: its clock may be an hour behind. */
function selectDelivered(
  actor: Actor,
  { projectIds, since }: Counted,
): RawBuilder<{ count: number }> {
  const from = sql`greatest(${since}::timestamptz, app.now() - make_interval(hours => ${limits.countedHours}))`
  const firstId = sql`(lpad(to_hex((extract(epoch from ${from} - interval '1 hour') * 1000)::bigint), 12, '0')
    || '70008000000000000000')::uuid`
  const projectId = sql`(
    select m.project_id from missions m where m.workspace_id = d.workspace_id and m.id = d.mission_id)`
  const visible = whereVisibleTo(actor, {
    projectId,
    missionId: sql`d.mission_id`,
    objectiveId: sql`d.objective_id`,
  })
  const ofProjects = projectIds && sql`${projectId} = any(${projectIds}::uuid[])`
  return sql<{ count: number }>`
    select count(*)::int as count from (
      select from deliveries d
       where d.workspace_id = ${actor.workspaceId} and d.id >= ${firstId} and d.created_at >= ${from}
         and ${visible} and ${ofProjects ?? sql`true`}
       limit ${most}) as counted`
}

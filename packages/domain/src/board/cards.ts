import type { BoardCard, CardBadge } from '@svc/contracts/board'
import { cutText } from '@svc/contracts/cut-text'
import { limits } from '@svc/contracts/limits'
import type { Queryable } from '@svc/db/database'
import type { ExecutionRequestRow, MissionRow, ObjectiveRow, ProjectRow } from '@svc/db/tables'
import { sql } from 'kysely'
import type { Actor } from '../common/actor.ts'
import { byKey } from '../common/by-key.ts'
import { listRunnerViews } from '../entities/runners/queries.ts'
import { type OfferingRunner, whyStopped, whyUntaken } from '../next-steps/runs.ts'
import { where } from '../states/states.ts'

interface Asked {
  actor: Actor
  project: ProjectRow
  ids: readonly string[]
  seesRunners: boolean
}

type Shown = 'id' | 'sequence' | 'title' | 'priority' | 'revision' | 'created_at' | 'updated_at'

interface BadgeRow {
  badge: CardBadge
  since: Date
  objective_id: string
  key: string
  question: string | null
  asking: string | null
  approval_refusal: ObjectiveRow['approval_refusal']
  last_outcome: ObjectiveRow['last_outcome']
  /** Of its newest run. */
  agent: string | null
  status: ExecutionRequestRow['status'] | null
  only_runner: string | null
  failure: ExecutionRequestRow['failure']
  last_release: ExecutionRequestRow['last_release']
  /** Who attached to it last. */
  attached: string | null
  percent: number | null
}

type Row = Pick<MissionRow, Shown> & { complete: number; total: number } & (
    | BadgeRow
    | { badge: null }
  )

/** Which of the objectives `o` of a mission its card speaks of, with its run `r` under way and its open question `q`. */
const badgeOf = sql`
  case when q.id is not null then 1
       when o.need = 'awaiting_approval' then 2
       when o.need = 'stopped' then 3
       when r.status = 'queued' then 5
       else 4 end`

const selectBadge = sql`
  select (array['waits', 'awaits_approval', 'failed', 'running', 'queued'])[o.rank] as badge,
         coalesce(o.since, s.attached_at, o.created_at) as since, o.id as objective_id, o.key, o.question, o.asking,
         o.approval_refusal, o.last_outcome, e.agent, e.status, e.only_runner, e.failure, e.last_release,
         s.agent_identifier as attached, s.percent
    from (
      select o.*, ${badgeOf} as rank, q.question, q.agent_identifier as asking,
             coalesce(q.asked_at, o.need_since, r.started_at, r.created_at) as since
        from objectives o
        left join lateral (
          select status, started_at, created_at from execution_requests r
           where r.workspace_id = o.workspace_id and r.objective_id = o.id and ${where.live('r')} limit 1) r on true
        left join lateral (
          select id, question, agent_identifier, asked_at from questions q
           where q.workspace_id = o.workspace_id and q.objective_id = o.id
             and ${where.pendingQuestion('q')} and q.status = 'open' limit 1) q on true
       where o.workspace_id = m.workspace_id and o.mission_id = m.id and o.deleted_at is null
         and (o.need is not null or ${where.active('o')})
       order by rank, since limit 1) o
    left join lateral (
      select * from execution_requests
       where workspace_id = o.workspace_id and objective_id = o.id order by seq desc limit 1) e on true
    left join lateral (
      select * from agent_sessions
       where workspace_id = o.workspace_id and objective_id = o.id order by seq desc limit 1) s on true`

/** By the ids of their missions. */
export async function loadCards(
  db: Queryable,
  { actor, project, ids, seesRunners }: Asked,
): Promise<Map<string, BoardCard>> {
  if (ids.length === 0) return new Map()
  const keys = ids.map((id) => ({ workspace_id: actor.workspaceId, id }))
  const { rows } = await sql<Row>`
    select m.id, m.sequence, m.title, m.priority, m.revision, m.created_at, m.updated_at,
           progress.complete, progress.total, badge.*
      from ${byKey('missions', keys)} m
     cross join lateral (
       select count(*) filter (where o.state = 'complete')::int as complete,
              count(*) filter (where o.state = 'complete' or not o.blank)::int as total
         from objectives o
        where o.workspace_id = m.workspace_id and o.mission_id = m.id and o.deleted_at is null) progress
      left join lateral (${selectBadge}) badge on true
     where m.deleted_at is null`.execute(db)
  const needsRunners = seesRunners && rows.some((row) => row.badge === 'queued')
  const runners = needsRunners ? await listRunnerViews(db, actor.workspaceId) : undefined
  return new Map(rows.map((row) => [row.id, viewCard(project, row, runners)]))
}

function viewCard(
  { slug }: ProjectRow,
  row: Row,
  runners: readonly OfferingRunner[] | undefined,
): BoardCard {
  const displayId = `${slug}:${row.sequence}`
  return {
    id: row.id,
    displayId,
    title: row.title,
    priority: row.priority,
    revision: row.revision,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    progress: { complete: row.complete, total: row.total },
    badge: row.badge === null ? null : viewBadge(displayId, row, runners),
  }
}

function viewBadge(
  mission: string,
  row: BadgeRow,
  runners: readonly OfferingRunner[] | undefined,
): BoardCard['badge'] {
  const waitsOn = waitsOnOf(row, runners)
  const isRunning = row.badge === 'running'
  return {
    kind: row.badge,
    since: row.since.toISOString(),
    objective: { id: row.objective_id, displayId: `${mission}.${row.key}` },
    agent: agentOf(row),
    percent: isRunning ? row.percent : null,
    waitsOn: waitsOn === undefined ? null : cutText(waitsOn, limits.warningCharacters),
  }
}

function agentOf({ badge, asking, attached, agent, status }: BadgeRow): string | null {
  if (badge === 'awaits_approval') return null
  if (badge === 'waits') return asking
  // before the launched agent attaches, who attached last is the one before it
  const isAttached = badge === 'running' && (status === null || status === 'launched')
  return isAttached ? (attached ?? agent) : agent
}

function waitsOnOf(
  row: BadgeRow,
  runners: readonly OfferingRunner[] | undefined,
): string | undefined {
  const { badge, question, approval_refusal: refusal, failure, last_release: release } = row
  if (badge === 'waits') return question ?? undefined
  if (badge === 'awaits_approval') return refusal?.message
  if (badge === 'failed') {
    return failure ? `${failure.code}: ${failure.message}` : whyStopped(row.last_outcome)
  }
  if (badge === 'running' || row.status === null || row.agent === null) return undefined
  if (release) return release.detail ?? release.reason
  return whyUntaken(runners, { status: row.status, agent: row.agent, onlyRunner: row.only_runner })
}

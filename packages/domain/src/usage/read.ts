import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { type RunEnds, type UsageGroup, type UsageSum, usdOf } from '@svc/contracts/usage'
import { gather } from '@svc/db/gather'
import { type RawBuilder, sql } from 'kysely'
import { authorize, whereVisibleTo } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { validationFailed } from '../common/errors.ts'
import { requireProject, scopeOfProject } from '../entities/projects/queries.ts'
import { type SummedColumn, summedColumns } from '../lifecycle/count-run.ts'
import type { UseCase } from '../use-case.ts'

const weeksBefore = 12

/** Sums of the weeks that are kept, of which there are few: what a call reads does not grow with the runs. */
export async function getUsage(
  { domain: { db } }: UseCase,
  actor: Actor,
  input: RouteInput<'getUsage'>,
): Promise<RouteOutput<'getUsage'>> {
  authorize(actor, 'workspace:read')
  const project = input.projectId
    ? await requireProject(db, actor.workspaceId, input.projectId)
    : undefined
  if (project && input.projectId) {
    authorize(actor, 'workspace:read', scopeOfProject(project, input.projectId))
  }
  const { by, limit } = input
  const offset = readOffset(input.cursor)
  const found = await gather(db, {
    weeks: sql<{ first: string }>`select ${dayOf(firstWeek(input.since))} as first`,
    groups: selectGroups(actor, { ...input, projectId: project?.id, limit: limit + 1, offset }),
    totals: selectSums(weeksOf(actor, { ...input, projectId: project?.id })),
  })
  const [week] = found.weeks
  const [total] = found.totals
  if (!week || !total) throw new Error('each of these statements answers one row')
  const hasMore = found.groups.length > limit
  return {
    since: week.first,
    rows: found.groups.slice(0, limit).map((row) => ({ ...viewKeys(by, row), ...viewSum(row) })),
    total: viewSum(total),
    ...(hasMore && { nextCursor: String(offset + limit) }),
  }
}

/** The cursor is the number of groups on the pages before: groups are few, and computed anew for each page. */
function readOffset(cursor = '0'): number {
  if (/^\d{1,6}$/.test(cursor)) return Number(cursor)
  throw validationFailed('cursor', 'use the nextCursor of the page before')
}

type Asked = Pick<RouteInput<'getUsage'>, 'agent' | 'model' | 'ownModel' | 'since' | 'until'> & {
  projectId?: string | undefined
}

function firstWeek(since: string | undefined): RawBuilder<unknown> {
  const day =
    since === undefined
      ? sql`app.now() - make_interval(weeks => ${weeksBefore}::int)`
      : sql`(${since}::date)::timestamp at time zone 'UTC'`
  return sql`date_trunc('week', ${day}, 'UTC')`
}

function dayOf(week: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`to_char(${week} at time zone 'UTC', 'YYYY-MM-DD')`
}

/** The sums of the weeks that are asked for, of projects that the caller may see. */
function weeksOf(actor: Actor, { projectId, agent, model, ownModel, since, until }: Asked) {
  const conditions = [
    sql`w.workspace_id = ${actor.workspaceId}`,
    sql`w.week >= ${firstWeek(since)}`,
    ...(until === undefined ? [] : [sql`w.week <= (${until}::date)::timestamp at time zone 'UTC'`]),
    ...(projectId === undefined ? [] : [sql`w.project_id = ${projectId}`]),
    ...(agent === undefined ? [] : [sql`w.agent = ${agent}`]),
    ...(model === undefined ? [] : [sql`w.model = ${model}`]),
    ...(ownModel === undefined ? [] : [sql`w.model = ''`]),
    whereVisibleTo(actor, { projectId: sql`w.project_id` }),
  ]
  return sql`usage_weeks w where ${sql.join(conditions, sql` and `)}`
}

type SumRow = Record<SummedColumn, number>

const sums = sql.join(
  summedColumns.map(
    (name) => sql`coalesce(sum(${sql.ref(`w.${name}`)}), 0)::bigint as ${sql.ref(name)}`,
  ),
)

interface GroupRow extends SumRow {
  project_id?: string
  slug?: string
  agent?: string
  model?: string
  /** The week, as a date; `week` would be parsed as a timestamp, as the column of that name is. */
  monday?: string
}

function selectSums(weeks: RawBuilder<unknown>): RawBuilder<SumRow> {
  return sql<SumRow>`select ${sums} from ${weeks}`
}

const columns: Readonly<Record<UsageGroup, RawBuilder<unknown>>> = {
  project: sql.ref('w.project_id'),
  agent: sql.ref('w.agent'),
  model: sql.ref('w.model'),
  week: sql.ref('w.week'),
}

function selectGroups(
  actor: Actor,
  asked: Asked & Pick<RouteInput<'getUsage'>, 'by' | 'limit'> & { offset: number },
): RawBuilder<GroupRow> {
  const keys = sql.join(asked.by.map((group) => columns[group]))
  const shown = asked.by.map((group) => {
    if (group === 'project') return sql`g.project_id, (${slugOf(actor)}) as slug`
    return group === 'week' ? sql`${dayOf(sql`g.week`)} as monday` : sql.ref(`g.${group}`)
  })
  return sql<GroupRow>`
    select ${sql.join(shown)}, ${sql.join(summedColumns.map((name) => sql.ref(`g.${name}`)))}
      from (select ${keys}, ${sums} from ${weeksOf(actor, asked)}
             group by ${keys} order by ${keys} limit ${asked.limit} offset ${asked.offset}) g`
}

function slugOf({ workspaceId }: Actor): RawBuilder<unknown> {
  return sql`select p.slug from projects p where p.workspace_id = ${workspaceId} and p.id = g.project_id`
}

function viewSum(row: SumRow): UsageSum & { ends: RunEnds } {
  return {
    runs: row.runs,
    runsOfUnknownCost: row.runs_without_usd,
    runsOfUnknownTokens: row.runs_without_tokens,
    inputTokens: row.input_tokens,
    outputTokens: row.output_tokens,
    usd: usdOf(row.millionths),
    seconds: row.seconds,
    ends: {
      delivered: row.runs_delivered,
      exited: row.runs_exited,
      lost: row.runs_lost,
      cancelled: row.runs_cancelled,
      failed: row.runs_failed,
    },
  }
}

function viewKeys(by: readonly UsageGroup[], row: GroupRow) {
  const { project_id: id = '', slug = '', agent, model, monday: week } = row
  return {
    ...(by.includes('project') && { project: { id, slug } }),
    ...(by.includes('agent') && { agent }),
    ...(by.includes('model') && { model: model === '' ? null : model }),
    ...(by.includes('week') && { week }),
  }
}

import { isUuid } from '@svc/contracts/ids'
import type { Queryable } from '@svc/db/database'
import type { AgentSessionRow, ObjectiveRow, QuestionRow } from '@svc/db/tables'
import { type RawBuilder, sql } from 'kysely'
import type { AccessScope } from '../../access/authorize.ts'
import { notFound } from '../../common/errors.ts'
import { lookUp } from '../../common/look-up.ts'
import { where } from '../../states/states.ts'
import { type Page, type Sized, withinBytes } from '../../common/page.ts'
import type { Ref } from '../../common/ids.ts'

/** What a session has asked that is not over: an index keeps it one. */
export function selectPendingOf(
  db: Queryable,
  session: Pick<AgentSessionRow, 'workspace_id' | 'id'>,
) {
  return selectPending(db, session.workspace_id).where('session_id', '=', session.id)
}

export function selectPendingOfObjective(db: Queryable, objective: Ref) {
  return selectPending(db, objective.workspace_id).where('objective_id', '=', objective.id)
}

function selectPending(db: Queryable, workspaceId: string) {
  return db
    .selectFrom('questions')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where(where.pendingQuestion())
}

/** With what a view shows of other rows. */
export interface QuestionRecord extends QuestionRow {
  project_slug: string
  sequence: number
  key: string
  execution_request_id: string | null
  answered_by_name: string | null
}

const record = sql`
  select q.*, p.slug as project_slug, m.sequence, o.key, s.execution_request_id,
         u.name as answered_by_name
    from questions q
   cross join ${lookUp('projects', 'p', { of: 'q', id: 'project_id' })}
   cross join ${lookUp('missions', 'm', { of: 'q', id: 'mission_id' })}
   cross join ${lookUp('objectives', 'o', { of: 'q', id: 'objective_id' })}
   cross join ${lookUp('agent_sessions', 's', { of: 'q', id: 'session_id' })}
    left join users u on u.id = q.answered_by`

export function selectQuestion(workspaceId: string, id: string): RawBuilder<QuestionRecord> {
  return sql<QuestionRecord>`
    ${record} where q.workspace_id = ${workspaceId} and q.id = ${isUuid(id) ? id : null}::uuid
      and m.deleted_at is null and o.deleted_at is null`
}

export async function requireQuestion(
  db: Queryable,
  workspaceId: string,
  id: string,
): Promise<QuestionRecord> {
  const { rows } = await selectQuestion(workspaceId, id).execute(db)
  if (!rows[0]) throw notFound('question', id)
  return rows[0]
}

export function scopeOfQuestion(question: QuestionRow): AccessScope {
  const { project_id: projectId, mission_id: missionId, objective_id: objectiveId } = question
  return { projectId, missionId, objectiveId, missing: () => notFound('question', question.id) }
}

/** What a row of questions has in texts. */
const bytes = sql`
  octet_length(question) + coalesce(octet_length(options::text), 0) + coalesce(octet_length(answer_text), 0)`

/** Newest first. */
export function selectQuestions(
  conditions: readonly RawBuilder<unknown>[],
  { limit, most }: Page,
): RawBuilder<Sized<QuestionRecord>> {
  const rows = sql<QuestionRecord>`
    ${record} where ${sql.join(conditions, sql` and `)}
      and m.deleted_at is null and o.deleted_at is null
     order by q.id desc limit ${limit + 1}`
  return withinBytes({ rows, bytes, most })
}

/** What was asked in an objective, the newest first. */
export function selectAsked(
  workspaceId: string,
  objective: Pick<ObjectiveRow, 'id'> | undefined,
  { limit, most }: Page,
): RawBuilder<Sized<QuestionRow>> {
  const rows = sql<QuestionRow>`
    select * from questions
     where workspace_id = ${workspaceId} and objective_id = ${objective?.id ?? null}::uuid
     order by id desc limit ${limit + 1}`
  return withinBytes({ rows, bytes, most })
}

import type { Need } from '@svc/contracts/need'
import type { NextStep } from '@svc/contracts/next-step'
import type { DeliveryRow, ObjectiveRow } from '@svc/db/tables'
import { sql } from 'kysely'
import type { Actor } from '../common/actor.ts'
import { lookUp } from '../common/look-up.ts'
import type { QuestionRecord } from '../entities/questions/queries.ts'
import { viewQuestion } from '../entities/questions/views.ts'
import {
  type OfMission,
  type OfObjective,
  areNamed,
  columnsOfMission,
  columnsOfObjective,
  missionsOfObjectives,
  nameOfMission,
  nameOfObjective,
  shown,
  viewAny,
  viewMissionOf,
  viewObjectiveOf,
} from './shown.ts'

type QuestionNeed = QuestionRecord & OfObjective & { runner: string | null }

export const questions = shown<QuestionNeed>({
  select: (workspaceId, ids) => sql<QuestionNeed>`
    select q.*, ${columnsOfObjective}, q.asked_at as since, s.execution_request_id,
           null as answered_by_name, r.label as runner
      from questions q
     cross join ${lookUp('objectives', 'o', { of: 'q', id: 'objective_id', where: sql`t.deleted_at is null` })}
      ${missionsOfObjectives}
     cross join ${lookUp('agent_sessions', 's', { of: 'q', id: 'session_id' })}
      left join ${lookUp('execution_requests', 'e', { of: 's', id: 'execution_request_id' })} on true
      left join ${lookUp('runners', 'r', { of: 'e', id: 'runner_id' })} on true
     where q.workspace_id = ${workspaceId} and ${areNamed('q.id', ids)} and q.status = 'open'`,
  view(actor, row) {
    const [first] = row.options
    const params = {
      id: row.id,
      objective: nameOfObjective(row),
      ...(first && { optionId: first.id }),
    }
    return {
      ...viewAny(actor, 'question', row, { operation: 'answerQuestion', params }),
      ...viewObjectiveOf(row),
      question: viewQuestion(row),
      runner: row.runner,
    }
  },
})

interface ReviewNeed extends OfMission {
  delivery_id: string | null
  delivered_at: string
  files: number | null
  additions: number | null
  deletions: number | null
  checks: NonNullable<DeliveryRow['checks']>['outcome'] | null
  human_actions: number
}

/** The newest delivery of `m`, with how much its run changed. */
const newestDelivery = sql`
  select d.id as delivery_id, d.created_at as delivered_at, d.checks ->> 'outcome' as checks,
         coalesce(jsonb_array_length(d.report #> '{agentReport,humanActions}'), 0) as human_actions, size.*
    from (select * from deliveries
           where workspace_id = m.workspace_id and mission_id = m.id order by id desc limit 1) d
    left join ${lookUp('agent_sessions', 's', { of: 'd', id: 'session_id' })} on true
    left join lateral (
      select r.files, r.additions::float8 as additions, r.deletions::float8 as deletions
        from run_diffs r
       where r.workspace_id = s.workspace_id and r.execution_request_id = s.execution_request_id) size on true`

export const reviews = shown<ReviewNeed>({
  select: (workspaceId, ids) => sql<ReviewNeed>`
    select m.id, m.in_review_since as since, m.addressed_to, ${columnsOfMission}, d.*
      from missions m
     cross join ${lookUp('projects', 'p', { of: 'm', id: 'project_id' })}
      left join lateral (${newestDelivery}) d on true
     where m.workspace_id = ${workspaceId} and ${areNamed('m.id', ids)}
       and m.in_review_since is not null and m.deleted_at is null`,
  view(actor, row) {
    const operation = row.delivery_id === null ? 'acceptMission' : 'listDeliveries'
    return {
      ...viewAny(actor, 'review', row, { operation, params: { id: nameOfMission(row) } }),
      ...viewMissionOf(row),
      delivery: viewSize(row),
    }
  },
})

function viewSize(row: ReviewNeed): Extract<Need, { kind: 'review' }>['delivery'] {
  if (row.delivery_id === null) return null
  return {
    id: row.delivery_id,
    createdAt: new Date(row.delivered_at).toISOString(),
    files: row.files,
    additions: row.additions,
    deletions: row.deletions,
    checks: row.checks,
    humanActions: row.human_actions,
  }
}

interface ApprovalNeed
  extends OfObjective, Pick<ObjectiveRow, 'approval_refusal' | 'assigned_agent'> {
  /** What ran last in its mission. */
  agent: string | null
}

export const approvals = shown<ApprovalNeed>({
  select: (workspaceId, ids) => sql<ApprovalNeed>`
    select o.id, o.need_since as since, o.addressed_to, ${columnsOfObjective}, o.approval_refusal, o.assigned_agent,
           (select e.agent from execution_requests e
             where e.workspace_id = o.workspace_id and e.mission_id = o.mission_id
             order by e.seq desc limit 1) as agent
      from objectives o ${missionsOfObjectives}
     where o.workspace_id = ${workspaceId} and ${areNamed('o.id', ids)}
       and o.need = 'awaiting_approval'`,
  view: (actor, row) => viewApproval(actor, row),
})

function viewApproval(actor: Actor, row: ApprovalNeed): Need {
  return {
    ...viewAny(actor, 'approval', row, approvalStep(row)),
    ...viewObjectiveOf(row),
    refusal: row.approval_refusal,
  }
}

/** Past its budget a launch would be refused again. */
function approvalStep(row: ApprovalNeed): NextStep {
  const { approval_refusal: refusal, assigned_agent: assigned, agent } = row
  if (refusal?.code.startsWith('budget_')) {
    const params = { id: nameOfMission(row), budget: { runs: '<runs>' } }
    return { operation: 'updateMission', params }
  }
  const params = { id: nameOfObjective(row), agent: assigned ?? agent ?? '<key>' }
  return { operation: 'launchObjective', params }
}

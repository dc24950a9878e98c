import { isClosed } from '@svc/contracts/states'
import { appPages } from '@svc/contracts/links'
import type { NextStep } from '@svc/contracts/next-step'
import type { AgentSessionRow, ExecutionRequestRow } from '@svc/db/tables'
import type { ObjectiveInMission } from '../entities/objectives/queries.ts'
import { displayIdOf } from '../entities/objectives/views.ts'
import { notifyOwner } from './notify-owner.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'

interface Ended extends ObjectiveInMission {
  request?: Pick<ExecutionRequestRow, 'requested_by'> | undefined
  session?: Pick<AgentSessionRow, 'user_id'> | undefined
}

interface Cause {
  kind: 'run_failed' | 'run_lost' | 'run_ended' | 'awaiting_approval'
  /** Said of the objective, whose display id stands before it. */
  what: string
  next: NextStep
}

/** A notification about an objective, for whoever launched it, or brought the agent that worked on it. Decision 53. */
export async function notifyOfObjective(tx: UnitOfWork, ended: Ended, cause: Cause): Promise<void> {
  const { mission, objective, request, session } = ended
  const owner = request ?? (session && { requested_by: session.user_id })
  await notifyOwner(
    tx,
    { mission, request: owner },
    {
      kind: cause.kind,
      // each time that it comes to this
      key: `${cause.kind}:${objective.id}:${objective.revision}`,
      title: `${displayIdOf(mission, objective)} ${cause.what}`,
      page: appPages.objective(displayIdOf(mission, objective)),
      subject_id: objective.id,
      next: cause.next,
      // its run went on until now, and nobody waits for what comes of it
      is_settled: objective.deleted_at !== null || isClosed(mission.status_type),
    },
  )
}

export function launchStep(
  { mission, objective }: ObjectiveInMission,
  agent: string | undefined,
): NextStep {
  const id = displayIdOf(mission, objective)
  const named = objective.assigned_agent ?? agent ?? '<key>'
  return { operation: 'launchObjective', params: { id, agent: named } }
}

import { ServiceError } from '@svc/contracts/errors'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { ExecutionRequestRow, ObjectiveRow } from '@svc/db/tables'
import { type RawBuilder, sql } from 'kysely'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { inTransaction } from '../commit/transaction.ts'
import { lockObjectiveWith } from '../lifecycle/lock-run.ts'
import { type Launched, answerLaunched, selectRunnersFor } from './launch-answer.ts'
import type { LaunchChoice } from '../entities/objectives/launch-config.ts'
import { refuseIfNotLaunchable } from '../entities/objectives/launch-refusals.ts'
import { queueLaunch, selectForLaunch } from './launch.ts'
import { type ObjectiveInMission, scopeOfObjective } from '../entities/objectives/queries.ts'
import { displayIdOf } from '../entities/objectives/views.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'
import { lockRequest } from '../lifecycle/locks.ts'
import { recordRequestChange } from '../lifecycle/move-request.ts'
import { wakeClaims } from '../runners/claim-hints.ts'
import type { Id } from '../common/ids.ts'
import type { UseCase } from '../use-case.ts'
import { isWorkedOnSince } from '../entities/execution-requests/views.ts'

/**
 * Launches an objective whose last run was lost or ended without a delivery, to go on with that run: on its machine, in
 * its checkout and, where the agent can, in its own conversation. Refused like any launch. What waits for a limit of its
 * provider goes on now.
 */
export async function resumeObjective(
  context: UseCase,
  actor: Actor,
  { id }: RouteInput<'resumeObjective'>,
): Promise<RouteOutput<'resumeObjective'>> {
  return inTransaction(context, async (tx) => {
    const { workspaceId } = actor
    const { mission, objective, extraReads } = await lockObjectiveWith(tx, workspaceId, {
      ref: id,
      extraReads: (ids) => ({
        ...selectForLaunch(tx, { workspaceId, ...ids }),
        stopped: selectStopped(workspaceId, ids.objective),
        newest: selectNewest(workspaceId, ids.objective),
      }),
    })
    authorize(actor, 'execution_request:create', scopeOfObjective({ mission, objective }, id))
    const answer = async (launched: Launched) => {
      const { request } = launched
      const resource = sql`select ${request.resource_key}::text as resource_key`
      const { rows: runners } = await selectRunnersFor(request, resource).execute(tx)
      return answerLaunched(tx, actor, { mission, runners }, launched)
    }
    const [live] = extraReads.requests
    const held = await lockHeld(tx, objective, live)
    if (held) {
      const request = goOnNow(tx, held)
      return answer({ request, objective, reused: true })
    }
    const runs = { live, stopped: extraReads.stopped[0], newest: extraReads.newest[0] }
    const resumes = requireStopped({ mission, objective }, runs)
    const launched = await queueLaunch(tx, {
      mission,
      objective,
      extraReads,
      choice: choiceOf(resumes),
      requestedBy: actor.userId,
      source: 'api',
      resumes,
    })
    return answer(launched)
  })
}

/** The request that goes on with an objective by itself, once a limit of its agent's provider is over. */
async function lockHeld(
  tx: UnitOfWork,
  { state, workspace_id }: ObjectiveRow,
  live: ExecutionRequestRow | undefined,
): Promise<ExecutionRequestRow | undefined> {
  if (!live || state !== 'executing' || !isHeld(live)) return undefined
  const locked = await lockRequest(tx, workspace_id, live.id)
  return isHeld(locked) ? locked : undefined
}

function isHeld({ status, source, last_release }: ExecutionRequestRow): boolean {
  return status === 'queued' && (source === 'limit' || last_release?.until !== undefined)
}

/** A person's word that the limit is over. Sent again, it finds nothing left to do. */
function goOnNow(tx: UnitOfWork, held: ExecutionRequestRow): ExecutionRequestRow {
  if (held.last_release === null) return held
  const now = { run_after: tx.locks.now, waits: {}, last_release: null }
  const request = tx.pending.move('execution_requests', held, now)
  recordRequestChange(tx, request, 'go_on')
  wakeClaims(tx, request)
  return request
}

/** The newest run that was started and has ended without a delivery, unless an agent came by itself after it. */
function selectStopped(workspaceId: string, objective: Id): RawBuilder<ExecutionRequestRow> {
  return sql<ExecutionRequestRow>`
    select r.* from execution_requests r
     where r.workspace_id = ${workspaceId} and r.objective_id = ${objective}
       and r.status = 'launched' and r.outcome in ('lost', 'exited')
       and not ${isWorkedOnSince('r')}
     order by r.seq desc limit 1`
}

function selectNewest(workspaceId: string, objective: Id): RawBuilder<ExecutionRequestRow> {
  return sql<ExecutionRequestRow>`
    select r.* from execution_requests r
     where r.workspace_id = ${workspaceId} and r.objective_id = ${objective}
     order by r.seq desc limit 1`
}

interface Runs {
  live: ExecutionRequestRow | undefined
  stopped: ExecutionRequestRow | undefined
  newest: ExecutionRequestRow | undefined
}

function requireStopped(
  { mission, objective }: ObjectiveInMission,
  { live, stopped, newest }: Runs,
): ExecutionRequestRow {
  if (stopped && (canGoOn(objective) || goesOnWith(stopped, live ?? newest))) return stopped
  refuseIfNotLaunchable(mission, objective, live)
  const id = displayIdOf(mission, objective)
  throw new ServiceError(
    'objective_not_launchable',
    `${id} has no run to go on with: that takes one which was lost or ended without a delivery, and nobody at work on it since.`,
    { state: objective.state, lastOutcome: objective.last_outcome },
    {
      next: {
        operation: 'launchObjective',
        params: { id, agent: objective.assigned_agent ?? '<key>' },
      },
    },
  )
}

/** What goes on with it is under way, or was called off before it began. */
function goesOnWith(stopped: ExecutionRequestRow, run: ExecutionRequestRow | undefined): boolean {
  return run?.resume_of === stopped.id && run.status !== 'launched'
}

function canGoOn({ last_outcome }: ObjectiveRow): boolean {
  return last_outcome === 'lost' || last_outcome === 'exited'
}

/** As that run was launched; what was the project's or the agent's own is looked up anew. */
function choiceOf({ agent, resource_key, config }: ExecutionRequestRow): LaunchChoice {
  const chosen = ({ value, source }: typeof config.model) =>
    source === 'request' || source === 'objective' ? (value ?? undefined) : undefined
  return {
    agent,
    model: chosen(config.model),
    reasoningEffort: chosen(config.reasoningEffort),
    resourceKey: resource_key ?? undefined,
  }
}

import type { Need } from '@svc/contracts/need'
import type { NextStep } from '@svc/contracts/next-step'
import { RunState } from '@svc/contracts/states'
import { whyRunEnded } from '@svc/contracts/run-end'
import { rowOfJson } from '@svc/db/gather'
import type { ExecutionRequestRow, ObjectiveRow } from '@svc/db/tables'
import { sql } from 'kysely'
import type { Actor } from '../common/actor.ts'
import { lookUp } from '../common/look-up.ts'
import { isWorkedOnSince, viewLinked } from '../entities/execution-requests/views.ts'
import { launchAgain, resumeStep, whyStopped } from '../next-steps/runs.ts'
import { whyNoRunner } from '../runners/untaken.ts'
import {
  type OfObjective,
  areNamed,
  columnsOfObjective,
  missionsOfObjectives,
  nameOfObjective,
  shown,
  viewAny,
  viewObjectiveOf,
} from './shown.ts'

interface StoppedNeed
  extends OfObjective, Pick<ObjectiveRow, 'state' | 'last_outcome' | 'assigned_agent'> {
  /** The newest. */
  run: object | null
  worked_on_since: boolean
}

export const stoppedRuns = shown<StoppedNeed>({
  select: (workspaceId, ids) => sql<StoppedNeed>`
    select o.id, o.need_since as since, o.addressed_to, ${columnsOfObjective}, o.state, o.last_outcome,
           o.assigned_agent, to_jsonb(e) as run, coalesce(${isWorkedOnSince('e')}, false) as worked_on_since
      from objectives o ${missionsOfObjectives}
      left join lateral (
        select * from execution_requests
         where workspace_id = o.workspace_id and objective_id = o.id order by seq desc limit 1) e on true
     where o.workspace_id = ${workspaceId} and ${areNamed('o.id', ids)} and o.need = 'stopped'`,
  view: (actor, row) => viewStopped(actor, row),
})

/** Who works for nobody that launched it has no run. */
function viewStopped(actor: Actor, row: StoppedNeed): Need {
  const objective = {
    displayId: nameOfObjective(row),
    state: row.state,
    lastOutcome: row.last_outcome,
  }
  const run = row.run && !row.worked_on_since ? viewRun(actor, row.run) : null
  const { displayId: id } = objective
  const launch: NextStep = {
    operation: 'launchObjective',
    params: { id, agent: row.assigned_agent ?? '<key>' },
  }
  const next =
    run && (run.failure?.next ?? resumeStep(objective, run) ?? launchAgain(objective, run))
  return {
    ...viewAny(actor, 'stopped_run', row, next ?? launch),
    ...viewObjectiveOf(row),
    run: run && { id: run.id, agent: run.agent, state: RunState.parse(run.outcome ?? run.status) },
    reason: (run && whyRunEnded(run)) ?? whyStopped(row.last_outcome) ?? 'it came to nothing',
  }
}

function viewRun(actor: Actor, json: object) {
  return viewLinked(rowOfJson<ExecutionRequestRow>(json), actor, undefined)
}

type UntakenNeed = OfObjective &
  Pick<ExecutionRequestRow, 'agent' | 'resource_key' | 'only_runner' | 'only_device'>

export const untakenLaunches = shown<UntakenNeed>({
  select: (workspaceId, ids) => sql<UntakenNeed>`
    select e.id, e.run_after as since, e.requested_by as addressed_to, ${columnsOfObjective}, e.agent,
           e.resource_key, e.only_runner, e.only_device
      from execution_requests e
     cross join ${lookUp('objectives', 'o', { of: 'e', id: 'objective_id' })}
      ${missionsOfObjectives}
     where e.workspace_id = ${workspaceId} and ${areNamed('e.id', ids)} and e.status = 'queued'`,
  view: (actor, row) => ({
    ...viewAny(actor, 'untaken_launch', row, { operation: 'listRunners', params: {} }),
    ...viewObjectiveOf(row),
    run: { id: row.id, agent: row.agent },
    reason: whyNoRunner(row),
  }),
})

import type { Prepared } from '@svc/contracts/runner'
import type { Tx } from '@svc/db/database'
import type { ExecutionRequestRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { type Author, recordChange, recordEvent } from '../commit/records.ts'
import { carriedBy } from '../commit/transaction.ts'
import { reviseMission } from '../missions/revise.ts'
import type { Run } from '../lifecycle/lock-run.ts'

/** What a run was prepared on: its commits per resource, its name on the mission or on the objective that owns it. */
export async function recordBranch(
  tx: Tx,
  author: Author,
  run: Run,
  prepared: Prepared,
): Promise<void> {
  const { branch, missionBranch } = prepared
  if (branch === null) return
  const ofObjective = missionBranch !== null && missionBranch !== branch
  await recordCommits(tx, run, prepared, ofObjective)
  recordName(tx, author, run, { branch, ofObjective })
}

async function recordCommits(tx: Tx, { request }: Run, prepared: Prepared, ofObjective: boolean) {
  const { branch, baseSha, startSha } = prepared
  const { resource_key: resourceKey, runner_id: runnerId } = request
  if (branch === null || baseSha === null || resourceKey === null || runnerId === null) return
  const now = {
    branch,
    start_sha: startSha ?? baseSha,
    last_sha: baseSha,
    runner_id: runnerId,
    execution_request_id: request.id,
    updated_at: sql<Date>`app.now()`,
  }
  await tx
    .insertInto('mission_branches')
    .values({
      ...now,
      workspace_id: request.workspace_id,
      mission_id: request.mission_id,
      resource_key: resourceKey,
      objective_id: ofObjective ? request.objective_id : null,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['workspace_id', 'mission_id', 'resource_key', 'objective_id'])
        .doUpdateSet(request.kind === 'resume' ? { ...now, last_sha: lastKnown } : now),
    )
    .execute()
}

/** A run that goes on tells where the one before began, and not how far that came. */
const lastKnown = sql<string>`
  case when mission_branches.branch = excluded.branch then mission_branches.last_sha
       else excluded.last_sha end`

/** The last commit that a run left on its branch. Of a branch that a later run took over it tells nothing. */
export async function recordLastCommit(
  tx: Tx,
  request: ExecutionRequestRow,
  lastSha: string | undefined,
): Promise<void> {
  const branch = request.prepared?.branch
  if (lastSha === undefined || branch == null || request.resource_key === null) return
  await tx
    .updateTable('mission_branches')
    .set({ last_sha: lastSha, updated_at: sql<Date>`app.now()` })
    .where('workspace_id', '=', request.workspace_id)
    .where('mission_id', '=', request.mission_id)
    .where('resource_key', '=', request.resource_key)
    .where('execution_request_id', '=', request.id)
    // an earlier try of the same run may have been on another one
    .where('branch', '=', branch)
    .where('last_sha', '!=', lastSha)
    .execute()
}

function recordName(
  tx: Tx,
  author: Author,
  { mission, objective }: Run,
  { branch, ofObjective }: { branch: string; ofObjective: boolean },
): void {
  if ((ofObjective ? objective.branch : mission.active_branch) === branch) return
  const target = ofObjective ? objective : mission
  const { collected } = carriedBy(tx)
  if (ofObjective) {
    collected.rows.move('objectives', objective, { branch, revision: objective.revision + 1 })
  } else {
    reviseMission(tx, mission)
    collected.rows.move('missions', mission, { active_branch: branch })
  }
  recordChange(tx, {
    workspaceId: mission.workspace_id,
    projectId: mission.project_id,
    missionId: mission.id,
    entity: ofObjective ? 'objective' : 'mission',
    entityId: target.id,
    operation: 'branch',
    data: { branch },
  })
  recordEvent(tx, author, {
    workspaceId: mission.workspace_id,
    missionId: mission.id,
    objectiveId: objective.id,
    type: 'branch_prepared',
    summary: `On branch ${branch}`,
    data: { branch },
  })
}

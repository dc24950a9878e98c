import type { Prepared } from '@svc/contracts/assignment'
import type { ExecutionRequestRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { type Author, recordChange, recordEvent } from '../commit/records.ts'
import { reviseMission } from '../commit/revise-mission.ts'
import type { Run } from '../lifecycle/lock-run.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'
import type { Tx } from '@svc/db/database'

/** What a run was prepared on: its commits per resource, its name on the mission or on the objective that owns it. */
export async function recordBranch(
  tx: UnitOfWork,
  author: Author,
  run: Run,
  prepared: Prepared,
): Promise<void> {
  const { branch, missionBranch } = prepared
  if (branch === null) return
  await recordCommits(tx, run, prepared)
  recordName(tx, author, run, { branch, ofObjective: isOfObjective({ branch, missionBranch }) })
}

/** The objective has its own branch, in addition to the mission's. */
function isOfObjective({ branch, missionBranch }: Pick<Prepared, 'branch' | 'missionBranch'>) {
  return missionBranch !== null && missionBranch !== branch
}

/** In its own resource, and in each other that it works in: all in one statement. */
async function recordCommits(tx: Tx, { request }: Run, prepared: Prepared) {
  const { branch, baseSha, startSha, missionBranch } = prepared
  const { resource_key: resourceKey, runner_id: runnerId } = request
  if (branch === null || baseSha === null || resourceKey === null || runnerId === null) return
  const own = { resourceKey, branch, missionBranch, startSha: startSha ?? baseSha, baseSha }
  const others = prepared.others.filter((one) => one.resourceKey !== resourceKey)
  await tx
    .insertInto('mission_branches')
    .values(
      [own, ...others].map((one) => ({
        workspace_id: request.workspace_id,
        mission_id: request.mission_id,
        resource_key: one.resourceKey,
        objective_id: isOfObjective(one) ? request.objective_id : null,
        branch: one.branch,
        start_sha: one.startSha,
        last_sha: one.baseSha,
        runner_id: runnerId,
        execution_request_id: request.id,
        updated_at: sql<Date>`app.now()`,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['workspace_id', 'mission_id', 'resource_key', 'objective_id'])
        .doUpdateSet((excluded) => ({
          branch: excluded.ref('excluded.branch'),
          start_sha: excluded.ref('excluded.start_sha'),
          last_sha: request.kind === 'resume' ? lastKnown : excluded.ref('excluded.last_sha'),
          runner_id: excluded.ref('excluded.runner_id'),
          execution_request_id: excluded.ref('excluded.execution_request_id'),
          updated_at: excluded.ref('excluded.updated_at'),
        })),
    )
    .execute()
}

/** A run that goes on reports where the one before began, and not how far that came. */
const lastKnown = sql<string>`
  case when mission_branches.branch = excluded.branch then mission_branches.last_sha
       else excluded.last_sha end`

interface LastCommits {
  headSha?: string | undefined
  /** In other resources that the run worked in. */
  others?: readonly { resourceKey: string; headSha: string }[] | undefined
}

/** The last commits that a run left on its branches. It reports nothing of a branch that a later run took over. */
export async function recordLastCommits(
  tx: Tx,
  request: ExecutionRequestRow,
  { headSha, others = [] }: LastCommits,
): Promise<void> {
  const own = [
    { resourceKey: request.resource_key, branch: request.prepared?.branch, lastSha: headSha },
  ]
  const inOthers = (request.prepared?.others ?? []).map(({ resourceKey, branch }) => {
    const reported = others.find((one) => one.resourceKey === resourceKey)
    return { resourceKey, branch, lastSha: reported?.headSha }
  })
  const left = [...own, ...inOthers].flatMap(({ resourceKey, branch, lastSha }) =>
    resourceKey === null || branch == null || lastSha === undefined
      ? []
      : [sql`(${resourceKey}, ${branch}, ${lastSha})`],
  )
  if (left.length === 0) return
  await sql`
    update mission_branches b set last_sha = l.last_sha, updated_at = app.now()
      from (values ${sql.join(left)}) l (resource_key, branch, last_sha)
     where b.workspace_id = ${request.workspace_id} and b.mission_id = ${request.mission_id}
       and b.resource_key = l.resource_key and b.execution_request_id = ${request.id}
       -- an earlier try of the same run may have been on another one
       and b.branch = l.branch and b.last_sha <> l.last_sha`.execute(tx)
}

function recordName(
  tx: UnitOfWork,
  author: Author,
  { mission, objective }: Run,
  { branch, ofObjective }: { branch: string; ofObjective: boolean },
): void {
  if ((ofObjective ? objective.branch : mission.active_branch) === branch) return
  if (ofObjective) {
    const set = { branch, revision: objective.revision + 1 }
    const moved = tx.pending.move('objectives', objective, set)
    recordChange(tx, { objective: moved, mission }, 'branch', { branch })
  } else {
    reviseMission(tx, mission)
    tx.pending.move('missions', mission, { active_branch: branch })
    recordChange(tx, { mission }, 'branch', { branch })
  }
  recordEvent(
    tx,
    author,
    { objective },
    { type: 'branch_prepared', summary: `On branch ${branch}`, data: { branch } },
  )
}

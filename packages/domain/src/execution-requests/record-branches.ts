import type { Prepared } from '@svc/contracts/assignment'
import type { ExecutionRequestRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { type Author, recordChange, recordEvent } from '../commit/records.ts'
import { reviseMission } from '../commit/revise-mission.ts'
import type { Run } from '../lifecycle/lock-run.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'

/** What a run was prepared on: its commits per resource, its name on the mission or on the objective that owns it. */
export function recordBranch(tx: UnitOfWork, author: Author, run: Run, prepared: Prepared): void {
  const { branch, missionBranch } = prepared
  if (branch === null) return
  recordCommits(tx, run, prepared)
  recordName(tx, author, run, { branch, ofObjective: isOfObjective({ branch, missionBranch }) })
}

/** The objective has its own branch, in addition to the mission's. */
function isOfObjective({ branch, missionBranch }: Pick<Prepared, 'branch' | 'missionBranch'>) {
  return missionBranch !== null && missionBranch !== branch
}

/** In its own resource, and in each other that it works in. */
function recordCommits(tx: UnitOfWork, { request }: Run, prepared: Prepared): void {
  const { branch, baseSha, startSha, missionBranch } = prepared
  const { resource_key: resourceKey, runner_id: runnerId } = request
  if (branch === null || baseSha === null || resourceKey === null || runnerId === null) return
  const own = { resourceKey, branch, missionBranch, startSha: startSha ?? baseSha, baseSha }
  const others = prepared.others.filter((one) => one.resourceKey !== resourceKey)
  const rows = [own, ...others].map(
    (one) => sql`(${request.workspace_id}::uuid, ${request.mission_id}::uuid, ${one.resourceKey},
      ${isOfObjective(one) ? request.objective_id : null}::uuid, ${one.branch}, ${one.startSha},
      ${one.baseSha}, ${runnerId}::uuid, ${request.id}::uuid, app.now())`,
  )
  // a run that goes on reports where the one before began, and not how far that came
  const write = sql`
    insert into mission_branches as b (workspace_id, mission_id, resource_key, objective_id, branch, start_sha,
                                       last_sha, runner_id, execution_request_id, updated_at)
    values ${sql.join(rows)}
    on conflict (workspace_id, mission_id, resource_key, objective_id) do update
       set branch = excluded.branch, start_sha = excluded.start_sha, runner_id = excluded.runner_id,
           execution_request_id = excluded.execution_request_id, updated_at = excluded.updated_at,
           last_sha = case when ${request.kind === 'resume'}::boolean and b.branch = excluded.branch
                           then b.last_sha else excluded.last_sha end`
  tx.pending.addStatement('branches', write)
}

interface LastCommits {
  headSha?: string | undefined
  /** In other resources that the run worked in. */
  others?: readonly { resourceKey: string; headSha: string }[] | undefined
}

/** The last commits that a run left on its branches. It reports nothing of a branch that a later run took over. */
export function recordLastCommits(
  tx: UnitOfWork,
  request: ExecutionRequestRow,
  { headSha, others = [] }: LastCommits,
): void {
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
  const write = sql`
    update mission_branches b set last_sha = l.last_sha, updated_at = app.now()
      from (values ${sql.join(left)}) l (resource_key, branch, last_sha)
     where b.workspace_id = ${request.workspace_id} and b.mission_id = ${request.mission_id}
       and b.resource_key = l.resource_key and b.execution_request_id = ${request.id}
       -- an earlier try of the same run may have been on another one
       and b.branch = l.branch and b.last_sha <> l.last_sha`
  tx.pending.addStatement('last_commits', write)
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

import { ServiceError } from '@svc/contracts/errors'
import type { Queryable, Tx } from '@svc/db/database'
import type { ObjectiveRow, ProjectResourceRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { validationFailed } from '../../common/errors.ts'
import { connectedSeconds } from '../projects/resources.ts'
import type { Ref } from '../../common/ids.ts'

/**
 * The one resource that the run works in: the chosen one, the objective's, the primary, or the only one. A project
 * without resources has none and runs in a scratch folder.
 */
export function chooseTarget<R extends ProjectResourceRow>(
  linked: readonly R[],
  objective: Pick<ObjectiveRow, 'resource_key'>,
  chosen: string | undefined,
): R | null {
  const wanted = chosen ?? objective.resource_key
  const target = wanted
    ? linked.find((one) => one.resource_key === wanted)
    : (linked.find((one) => one.is_primary) ?? (linked.length === 1 ? linked[0] : undefined))
  if (!target && (wanted || linked.length > 0)) {
    const keys = linked.map((one) => one.resource_key).join(', ') || 'none'
    throw validationFailed('resourceKey', `choose one of the linked resources: ${keys}`)
  }
  return target ?? null
}

/** What may be chosen from, for a launch: an unlinking in between waits for it, and then finds its request. */
export function selectLinkedResources(tx: Tx, project: Ref) {
  return selectTargets(tx, project).forKeyShare()
}

/** What may be chosen from. */
export function selectTargets(db: Queryable, project: Ref) {
  return db
    .selectFrom('project_resources')
    .selectAll()
    .where('workspace_id', '=', project.workspace_id)
    .where('project_id', '=', project.id)
    .orderBy('resource_key')
}

export function refuseIfReadOnly(target: ProjectResourceRow | null): void {
  if (target?.permission !== 'ro') return
  const resourceKey = target.resource_key
  throw new ServiceError(
    'resource_read_only',
    `The resource ${resourceKey} is linked read-only and cannot be worked in; another one can.`,
    { resourceKey },
    { next: { operation: 'launchObjective', params: {} } },
  )
}

export interface Holding {
  resource_key: string
  /** When one of the runners that have it was heard last. */
  last_heard_at: Date
  connected: boolean
}

/** Which resources of a project runners have. */
export function selectHoldings(project: Ref) {
  return sql<Holding>`
    select rr.resource_key, max(r.last_heard_at) as last_heard_at,
           bool_or(r.last_heard_at > app.now() - make_interval(secs => ${connectedSeconds})) as connected
      from runner_resources rr
      join runners r on r.workspace_id = rr.workspace_id and r.id = rr.runner_id
     where rr.workspace_id = ${project.workspace_id} and rr.project_id = ${project.id}
       and rr.state = 'usable' and r.removed_at is null
     group by rr.resource_key`
}

export function refuseIfNotConnected(
  target: ProjectResourceRow | null,
  holdings: readonly Holding[],
): void {
  // what can be cloned is taken by a runner that is started for it
  if (!target || target.clone_url !== null) return
  const { resource_key: resourceKey } = target
  const held = holdings.find((one) => one.resource_key === resourceKey)
  if (held?.connected) return
  throw new ServiceError(
    'resource_not_connected',
    `No running runner has the resource ${resourceKey}; one has to be started on the machine that has it.`,
    { resourceKey, lastSeenAt: held?.last_heard_at.toISOString() ?? null },
    { next: { operation: 'connectResource', params: { resourceKey } } },
  )
}

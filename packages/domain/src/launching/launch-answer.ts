import type { LaunchWarning } from '@svc/contracts/execution-request'
import type { NextStep } from '@svc/contracts/next-step'
import type { RouteOutput } from '@svc/contracts/rest'
import type { ExecutionRequestRow, ObjectiveRow, RunQueueRow } from '@svc/db/tables'
import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { Actor } from '../common/actor.ts'
import type { Id, Ref } from '../common/ids.ts'
import { viewLinked, viewRequest } from '../entities/execution-requests/views.ts'
import type { MissionRecord } from '../entities/missions/queries.ts'
import { connectedSeconds } from '../entities/projects/resources.ts'
import { leftQueueMessage } from '../run-queues/follow.ts'
import { ableRunners } from '../entities/execution-requests/able-runners.ts'
import { displayIdOf, viewObjective } from '../entities/objectives/views.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'

export interface Launched {
  request: ExecutionRequestRow
  objective: ObjectiveRow
  /** It was launched with this choice before, and that launch is live. */
  reused: boolean
  /** The request that waited, with another choice. */
  replaced?: ExecutionRequestRow | undefined
  /** The run queue that held it. */
  left?: RunQueueRow | undefined
}

/** What is said of the runners for a launch is read before it, under its locks. */
export async function answerLaunched(
  tx: UnitOfWork,
  actor: Actor,
  { mission, runners }: { mission: MissionRecord; runners: readonly RunnersFor[] },
  { request, objective, reused, replaced, left }: Launched,
): Promise<RouteOutput<'launchObjective'>> {
  const ofResource = runners.find((one) => one.resource_key === request.resource_key)
  return {
    // of a new one there is nothing that a view would look up
    executionRequest: reused
      ? await viewRequest(tx, actor, request)
      : viewLinked(request, actor, undefined),
    objective: viewObjective(mission, objective),
    reused,
    warnings: [
      ...warnReplaced(replaced),
      ...warnLeft(displayIdOf(mission, objective), left),
      ...warnMissing(request, ofResource),
    ],
  }
}

interface RunnersFor {
  resource_key: string | null
  isAble: boolean
  /** Whether a runner of the requested name is there; null where none has that name. */
  isThere: boolean | null
  /** Whether its resource can be cloned, by a runner that is started for it. */
  isCloneable: boolean
}

interface Wanted extends Pick<ExecutionRequestRow, 'agent' | 'only_runner' | 'only_device'> {
  workspace_id: string
  project_id: Id
}

/** Whether a connected runner could take the launch, for each of the resources that it may be of. */
export function selectRunnersFor(
  { workspace_id, project_id, agent, only_runner, only_device }: Wanted,
  resources: RawBuilder<unknown>,
) {
  const needs = {
    workspaceId: sql`${workspace_id}`,
    projectId: sql`${project_id}`,
    agent: sql`${agent}`,
    resourceKey: sql`wanted.resource_key`,
    onlyRunner: sql`${only_runner}`,
    device: sql`${only_device}`,
  }
  return sql<RunnersFor>`
    select wanted.resource_key, exists (${ableRunners(needs, connectedSeconds)}) as "isAble",
           (select bool_or(r.last_heard_at > app.now() - make_interval(secs => ${connectedSeconds}))
              from runners r
             where r.workspace_id = ${workspace_id} and r.removed_at is null
               and r.label = ${only_runner}) as "isThere",
           exists (select from project_resources pr
                    where pr.workspace_id = ${workspace_id} and pr.project_id = ${project_id}
                      and pr.resource_key = wanted.resource_key
                      and pr.clone_url is not null) as "isCloneable"
      from (${resources}) wanted`
}

/** The one that the launch names, else those of the project; null where it has none. */
export function selectChoices({ workspace_id, id }: Ref, named: string | undefined) {
  return sql`
    select pr.resource_key from (select) project
      left join project_resources pr on pr.workspace_id = ${workspace_id} and pr.project_id = ${id}
            and (${named ?? null}::text is null or pr.resource_key = ${named ?? null})`
}

type Warning = z.infer<typeof LaunchWarning>

function warnReplaced(replaced: ExecutionRequestRow | undefined): Warning[] {
  if (!replaced) return []
  const { id, agent, resource_key: resource, only_runner: runner, config } = replaced
  const { model, reasoningEffort: effort } = config
  const chosen = Object.entries({ model: model.value, effort: effort.value, resource, runner })
  const settings = chosen.flatMap(([name, value]) => (value === null ? [] : `${name} ${value}`))
  const what = [agent, ...settings].join(', ')
  const message = `It takes the place of the launch with ${what}, which no runner had taken yet.`
  return [{ code: 'replaced', message, next: { operation: 'getExecutionRequest', params: { id } } }]
}

/** Nothing but a person gives it a place in the queue again. */
function warnLeft(objectiveId: string, left: RunQueueRow | undefined): Warning[] {
  if (!left) return []
  const next: NextStep = { operation: 'queueObjective', params: { objectiveId, queue: left.name } }
  return [{ code: 'left_queue', message: leftQueueMessage(left), next }]
}

/**
 * A missing agent refuses nothing: a runner that has both the resource and the agent may come later. One that is started for
 * this launch alone is never there before it; that none comes is said by the notification of what nobody takes.
 */
function warnMissing(request: ExecutionRequestRow, runners: RunnersFor | undefined): Warning[] {
  if (runners?.isAble) return []
  if (runners?.isCloneable && request.only_device === null) return []
  const message = whoIsMissing(request, runners?.isThere ?? null)
  return [{ code: 'agent_not_available', message, next: { operation: 'listRunners', params: {} } }]
}

function whoIsMissing(request: ExecutionRequestRow, isThere: boolean | null): string {
  const { agent, resource_key: resourceKey, only_device: device, only_runner: runner } = request
  if (device !== null) {
    return `The machine on which this run would go on is not connected, or no longer has the agent ${agent}. The request waits for it; a new launch starts over on any runner.`
  }
  if (runner !== null && !isThere) {
    const why =
      isThere === null ? `No runner is called ${runner}.` : `The runner ${runner} is away.`
    return `${why} The request waits for it; a launch with another choice takes its place.`
  }
  if (runner !== null) {
    const held = resourceKey === null ? '' : ` and the resource ${resourceKey}`
    return `The runner ${runner} takes nothing of this project with the agent ${agent}${held}. The request waits for it; a launch with another choice takes its place.`
  }
  const holder =
    resourceKey === null ? 'connected runner' : `connected runner with resource ${resourceKey}`
  return `No ${holder} has the agent ${agent}. The request waits until one has.`
}

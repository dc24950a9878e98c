import type { LaunchWarning } from '@svc/contracts/execution-request'
import type { RouteOutput } from '@svc/contracts/rest'
import type { Tx } from '@svc/db/database'
import { gather } from '@svc/db/gather'
import type { ExecutionRequestRow, ObjectiveRow } from '@svc/db/tables'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Actor } from '../actor.ts'
import { selectLinked, viewLinked } from '../execution-requests/views.ts'
import type { MissionRecord } from '../missions/queries.ts'
import { connectedSeconds } from '../projects/resources.ts'
import { ableRunners } from '../runners/able.ts'
import { viewObjective } from './views.ts'

export interface Launched {
  request: ExecutionRequestRow
  objective: ObjectiveRow
  /** It was launched with this choice before, and that launch is live. */
  reused: boolean
}

export async function answerLaunched(
  tx: Tx,
  actor: Actor,
  mission: MissionRecord,
  { request, objective, reused }: Launched,
): Promise<RouteOutput<'launchObjective'>> {
  const { linked, runners } = await gather(tx, {
    linked: selectLinked(request.workspace_id, [request.id]),
    runners: selectRunnersFor(request),
  })
  return {
    executionRequest: viewLinked(request, actor, linked[0]),
    objective: viewObjective(mission, objective),
    reused,
    warnings: warningsOf(request, runners.length > 0),
  }
}

/** One that could take it, if there is any. */
function selectRunnersFor(request: ExecutionRequestRow) {
  const needs = {
    workspaceId: sql`${request.workspace_id}`,
    projectId: sql`${request.project_id}`,
    agent: sql`${request.agent}`,
    resourceKey: sql`${request.resource_key}`,
    device: sql`${request.only_device}`,
  }
  return sql`${ableRunners(needs, connectedSeconds)} limit 1`
}

/** A missing agent refuses nothing: a runner that has both the resource and the agent may come later. */
function warningsOf(
  request: ExecutionRequestRow,
  hasRunner: boolean,
): z.infer<typeof LaunchWarning>[] {
  if (hasRunner) return []
  const message = whoIsMissing(request)
  return [{ code: 'agent_not_available', message, next: { operation: 'listRunners', params: {} } }]
}

function whoIsMissing(request: ExecutionRequestRow): string {
  const { agent, resource_key: resourceKey, only_device: device } = request
  if (device !== null) {
    return `The machine that this goes on at is not connected, or has the agent ${agent} no more. The request waits for it; a launch begins anew wherever there is a runner.`
  }
  const holder =
    resourceKey === null ? 'connected runner' : `connected runner with resource ${resourceKey}`
  return `No ${holder} has the agent ${agent}. The request waits until one has.`
}

import type { LaunchConfig } from '@svc/contracts/execution-request'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { RequestSource } from '@svc/contracts/states'
import type { Gathered } from '@svc/db/gather'
import type { ExecutionRequestRow, ObjectiveRow } from '@svc/db/tables'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { followLaunch } from '../run-queues/follow.ts'
import { selectEntryOf } from '../run-queues/queries.ts'
import { insertRequest, selectNextSeq, seqOf } from '../execution-requests/insert.ts'
import { selectLiveRequest } from '../entities/execution-requests/queries.ts'
import { selectDevice } from '../execution-requests/resume.ts'
import { notFound } from '../common/errors.ts'
import { type Id, newId } from '../common/ids.ts'
import type { MissionRecord } from '../entities/missions/queries.ts'
import { type Author, recordEvent } from '../commit/records.ts'
import { wakeClaims } from '../runners/claim-hints.ts'
import { inTransaction } from '../commit/transaction.ts'
import type { UseCase } from '../use-case.ts'
import { type Launched, answerLaunched, selectChoices, selectRunnersFor } from './launch-answer.ts'
import {
  type LaunchChoice,
  resolveConfig,
  selectLaunchSettings,
} from '../entities/objectives/launch-config.ts'
import {
  chooseTarget,
  refuseIfNotConnected,
  selectHoldings,
  selectLinkedResources,
} from '../entities/objectives/launch-target.ts'
import { refuseLaunch } from './refuse-launch.ts'
import { isLaunchedSo, replaceLaunch } from './relaunch.ts'
import { moveObjective } from '../lifecycle/move-objective.ts'
import { scopeOfObjective, selectActive } from '../entities/objectives/queries.ts'
import { displayIdOf } from '../entities/objectives/views.ts'
import { lockObjectiveWith } from '../lifecycle/lock-run.ts'
import { lockRequest } from '../lifecycle/locks.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'
import type { Tx } from '@svc/db/database'

/** Requests one run of an objective. spec: States and transitions, row 1. */
export async function launchObjective(
  context: UseCase,
  actor: Actor,
  input: RouteInput<'launchObjective'> & { missionId?: string | undefined; source?: RequestSource },
): Promise<RouteOutput<'launchObjective'>> {
  const { missionId, source = 'api' } = input
  return inTransaction(context, async (tx) => {
    const { workspaceId } = actor
    const found = await lockObjectiveWith(tx, workspaceId, {
      ref: input.id,
      missionRef: missionId,
      extraReads: (ids) => ({
        ...selectForLaunch(tx, { workspaceId, ...ids }),
        runners: selectRunnersFor(
          {
            workspace_id: workspaceId,
            project_id: ids.project,
            agent: input.agent,
            only_runner: input.runner ?? null,
            only_device: null,
          },
          selectChoices({ workspace_id: workspaceId, id: ids.project }, input.resourceKey),
        ),
      }),
    })
    const { mission, objective, extraReads } = found
    authorize(actor, 'execution_request:create', scopeOfObjective({ mission, objective }, input.id))
    const launched = await queueLaunch(tx, {
      mission,
      objective,
      extraReads,
      choice: { ...input, agent: input.agent },
      requestedBy: actor.userId,
      source,
    })
    return answerLaunched(tx, actor, { mission, runners: extraReads.runners }, launched)
  })
}

export interface LaunchOrder {
  mission: MissionRecord
  objective: ObjectiveRow
  /** Read under the locks. */
  extraReads: Gathered<ReturnType<typeof selectForLaunch>>
  choice: LaunchChoice
  requestedBy: string
  source: RequestSource
  /** A run queue launches what is next in it. */
  fromQueue?: true
  /** The delivery that this launch follows. */
  advancedBy?: string
  /** A run that is over, and that this one goes on with on its machine. */
  resumes?: ExecutionRequestRow
}

interface Ids {
  workspaceId: string
  project: Id
  mission: Id
  objective: Id
}

/** What a launch is decided by in addition to the rows that it locks. */
export function selectForLaunch(tx: Tx, { workspaceId, project, mission, objective }: Ids) {
  const ofProject = { workspace_id: workspaceId, id: project }
  return {
    linked: selectLinkedResources(tx, ofProject),
    holdings: selectHoldings(ofProject),
    projects: selectLaunchSettings(tx, ofProject),
    requests: selectLiveRequest(tx, { workspace_id: workspaceId, id: objective }),
    active: selectActive(tx, { workspace_id: workspaceId, id: mission }),
    entries: selectEntryOf(tx, { workspace_id: workspaceId, id: objective }),
    next: selectNextSeq(),
  }
}

/**
 * Row 1 in full, for whoever launches: the refusals in their order, then what the row writes. The caller holds the
 * locks and has checked the right.
 */
export async function queueLaunch(tx: UnitOfWork, order: LaunchOrder): Promise<Launched> {
  const { mission, objective } = order
  const { linked, holdings, projects, requests, active, entries, next } = order.extraReads
  const target = chooseTarget(linked, objective, order.choice.resourceKey)
  const [settings] = projects
  if (!settings) throw notFound('project', mission.project_id)
  const config = resolveConfig(order.choice, objective, settings)
  const live = requests[0] && (await lockRequest(tx, mission.workspace_id, requests[0].id))
  const wanted = insertable(order, config, target?.resource_key ?? null)
  if (isLaunchedSo(live, objective, wanted)) return { request: live, objective, reused: true }
  await refuseLaunch(tx, { mission, objective, agent: config.agent.value, target, live, active })
  refuseIfNotConnected(target, holdings)

  const counted = live ? await replaceLaunch(tx, authorOf(order), { live, objective }) : objective
  const requestId = newId()
  const { advances, link, left } = await followLaunch(tx, {
    objective,
    entry: entries[0],
    requestId,
    fromQueue: order.fromQueue ?? false,
  })
  const moved = await moveObjective(tx, order.advancedBy ? 'advance' : 'launch', {
    mission,
    objective: counted,
    set: {
      assigned_agent: config.agent.value,
      model: chosen(config.model),
      reasoning_effort: chosen(config.reasoningEffort),
      resource_key: target?.resource_key ?? objective.resource_key,
      addressed_to: order.requestedBy,
      approval_refusal: null,
      last_outcome: null,
      ...advances,
    },
  })
  const request = insertRequest(tx, {
    ...wanted,
    ...link,
    id: requestId,
    workspace_id: mission.workspace_id,
    project_id: mission.project_id,
    mission_id: mission.id,
    objective_id: objective.id,
    seq: seqOf(next),
    kind: order.resumes ? 'resume' : 'run',
    only_device: order.resumes ? await findDevice(tx, order.resumes) : null,
    source: order.source,
    advanced_by_delivery_id: order.advancedBy ?? null,
    requested_by: order.requestedBy,
  })
  recordEvent(
    tx,
    authorOf(order),
    { objective },
    {
      type: 'execution_requested',
      summary: order.resumes
        ? `${displayIdOf(mission, objective)} goes on where its last run ended, with ${config.agent.value}`
        : `Launch of ${displayIdOf(mission, objective)} with ${config.agent.value}${onRunner(order)}`,
      data: { executionRequestId: request.id, agent: config.agent.value, source: order.source },
    },
  )
  wakeClaims(tx, request)
  return { request, objective: moved, reused: false, replaced: live, left }
}

/** A default of the project stays the project's: it is frozen in the request and not the objective's own choice. */
function chosen({ value, source }: LaunchConfig['model']): string | null {
  return source === 'request' || source === 'objective' ? value : null
}

function authorOf(order: LaunchOrder): Author {
  return {
    userId: order.requestedBy,
    role: order.advancedBy || order.source === 'run_queue' ? 'service' : 'person',
  }
}

function insertable(order: LaunchOrder, config: LaunchConfig, resourceKey: string | null) {
  return {
    agent: config.agent.value,
    resource_key: resourceKey,
    from_base: order.choice.fromBase ?? false,
    only_runner: order.choice.runner ?? null,
    resume_of: order.resumes?.id ?? null,
    config,
  }
}

function onRunner({ choice: { runner } }: LaunchOrder): string {
  return runner === undefined ? '' : ` on the runner ${runner}`
}

async function findDevice(tx: Tx, of: ExecutionRequestRow): Promise<string | null> {
  const { rows } = await selectDevice(of).execute(tx)
  return rows[0]?.fingerprint ?? null
}

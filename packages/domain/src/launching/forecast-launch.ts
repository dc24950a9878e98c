import { checksBefore } from '@svc/contracts/check'
import { ServiceError, isServiceError } from '@svc/contracts/errors'
import type { LaunchConfig } from '@svc/contracts/execution-request'
import type { ForecastSettings } from '@svc/contracts/launch-forecast'
import { addsNothing, launchSettingsOf, usedBy } from '@svc/contracts/launch-settings'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { Queryable } from '@svc/db/database'
import { gather } from '@svc/db/gather'
import type {
  ExecutionRequestRow,
  ObjectiveRow,
  ProjectResourceRow,
  ProjectRow,
} from '@svc/db/tables'
import { authorize, isAllowed } from '../access/authorize.ts'
import { isOffered } from '../access/offered.ts'
import type { Actor } from '../common/actor.ts'
import { notFound } from '../common/errors.ts'
import { type Wanted, judgeRunners } from '../entities/execution-requests/candidates.ts'
import { selectLiveRequest } from '../entities/execution-requests/queries.ts'
import { resolveConfig, resolveRights } from '../entities/objectives/launch-config.ts'
import {
  type Holding,
  chooseTarget,
  refuseIfNotConnected,
  selectHoldings,
  selectTargets,
} from '../entities/objectives/launch-target.ts'
import {
  type ObjectiveInMission,
  requireObjective,
  scopeOfObjective,
  selectActive,
} from '../entities/objectives/queries.ts'
import { displayIdOf } from '../entities/objectives/views.ts'
import { selectProject } from '../entities/projects/queries.ts'
import { viewLaunchSettings } from '../projects/launch-settings.ts'
import type { UseCase } from '../use-case.ts'
import { refuseLaunch } from './refuse-launch.ts'
import { isLaunchedSo } from './relaunch.ts'

type Choice = Omit<RouteInput<'forecastLaunch'>, 'id'>

/** What a launch would be, before anybody asks for it: by the rules of the launch and of the claim. It writes nothing. */
export async function forecastLaunch(
  { domain: { db } }: UseCase,
  actor: Actor,
  { id, ...choice }: RouteInput<'forecastLaunch'>,
): Promise<RouteOutput<'forecastLaunch'>> {
  const found = await requireObjective(db, actor.workspaceId, id)
  const scope = scopeOfObjective(found, id)
  authorize(actor, 'execution_request:create', scope)
  const known = await readKnown(db, found)
  const resolved = await resolve(known, choice)
  const refusal = await refusalOf(db, known, resolved)
  const seesRunners = isAllowed(actor, 'project:read', scope)
  return {
    settings: settingsOf(known, resolved),
    needsTrust: needsTrust(known, resolved),
    refusal: refusal ? viewRefusal(actor, refusal) : null,
    candidates: seesRunners ? await judgeRunners(db, wantedBy(known, resolved)) : null,
  }
}

interface Known extends ObjectiveInMission {
  project: ProjectRow
  linked: ProjectResourceRow[]
  holdings: Holding[]
  live: ExecutionRequestRow | undefined
  active: ObjectiveRow[]
}

async function readKnown(
  db: Queryable,
  { mission, objective }: ObjectiveInMission,
): Promise<Known> {
  const { workspace_id, project_id: id } = mission
  const { projects, linked, holdings, requests, active } = await gather(db, {
    projects: selectProject(db, workspace_id, id),
    linked: selectTargets(db, { workspace_id, id }),
    holdings: selectHoldings({ workspace_id, id }),
    requests: selectLiveRequest(db, objective),
    active: selectActive(db, mission),
  })
  const [project] = projects
  if (!project) throw notFound('project', id)
  return { mission, objective, project, linked, holdings, live: requests[0], active }
}

interface Attempt<T> {
  done?: T
  refusal?: ServiceError
}

async function attempt<T>(work: () => T | Promise<T>): Promise<Attempt<T>> {
  try {
    return { done: await work() }
  } catch (error) {
    if (isServiceError(error)) return { refusal: error }
    throw error
  }
}

interface Resolved {
  choice: Choice
  agent: string | null
  config: LaunchConfig
  target: ProjectResourceRow | null
  /** Why no resource could be chosen. */
  noTarget: ServiceError | undefined
  /** The same launch waits already: asked for again, it is given and not refused. */
  isQueued: boolean
}

async function resolve(known: Known, choice: Choice): Promise<Resolved> {
  const { objective, project, linked, live } = known
  const agent = choice.agent ?? objective.assigned_agent
  // no settings are an agent's without a name
  const config = resolveConfig(
    { ...choice, fromBase: undefined, agent: agent ?? '' },
    objective,
    project,
  )
  const { done: target = null, refusal: noTarget } = await attempt(() =>
    chooseTarget(linked, objective, choice.resourceKey),
  )
  const wanted = {
    agent: agent ?? '',
    config,
    resource_key: target?.resource_key ?? null,
    from_base: choice.fromBase === 'true',
    only_runner: choice.runner ?? null,
    resume_of: null,
  }
  const isQueued = isLaunchedSo(live, objective, wanted)
  return { choice, agent, config, target, noTarget, isQueued }
}

/** As the claim would find it. */
function wantedBy(
  { objective, project, live }: Known,
  { choice, agent, target, isQueued }: Resolved,
): Wanted {
  return {
    workspace_id: objective.workspace_id,
    project_id: project.id,
    mission_id: objective.mission_id,
    objective_id: objective.id,
    agent,
    resource_key: target?.resource_key ?? null,
    only_runner: choice.runner ?? null,
    only_device: null,
    waits: isQueued ? (live?.waits ?? {}) : {},
  }
}

async function refusalOf(
  db: Queryable,
  known: Known,
  { agent, target, noTarget, isQueued }: Resolved,
): Promise<ServiceError | undefined> {
  if (noTarget || isQueued) return noTarget
  const { refusal } = await attempt(async () => {
    if (agent === null) throw namesNoAgent(known)
    await refuseLaunch(db, { ...known, agent, target })
    refuseIfNotConnected(target, known.holdings)
  })
  return refusal
}

function namesNoAgent({ mission, objective }: ObjectiveInMission): ServiceError {
  const id = displayIdOf(mission, objective)
  const next = { operation: 'launchObjective', params: { id, agent: '<agent>' } } as const
  return new ServiceError('no_agent', `${id} names no agent: choose one.`, undefined, { next })
}

function viewRefusal(actor: Actor, { code, message, next }: ServiceError) {
  return { code, message, ...(next && isOffered(actor, next) && { next }) }
}

function settingsOf(
  { objective, project }: Known,
  { choice, agent, config, target }: Resolved,
): ForecastSettings {
  return {
    ...config,
    agent: { value: agent, source: sourceOf(choice.agent, objective.assigned_agent) },
    resourceKey: resourceOf(choice, objective, target?.resource_key ?? null),
    rights: resolveRights(project, agent),
    checks: checksOf(project, objective),
  }
}

/** Which machines trust it, each knows alone. Decision 100. */
function needsTrust({ project }: Known, { agent }: Resolved): boolean {
  return !addsNothing(usedBy(agent ?? '', launchSettingsOf(viewLaunchSettings(project))))
}

function sourceOf(
  chosen: string | undefined,
  own: string | null,
): ForecastSettings['agent']['source'] {
  if (chosen !== undefined) return 'request'
  return own === null ? 'default' : 'objective'
}

function resourceOf(
  { resourceKey: chosen }: Choice,
  { resource_key: own }: ObjectiveRow,
  value: string | null,
): ForecastSettings['resourceKey'] {
  const source = sourceOf(chosen, own)
  return { value, source: source === 'default' && value !== null ? 'project' : source }
}

function checksOf(
  { checks }: ProjectRow,
  { chosen_check: chosen }: ObjectiveRow,
): ForecastSettings['checks'] {
  const value = checksBefore(Object.keys(checks), chosen)
  if (chosen !== null) return { value, source: 'objective' }
  return { value, source: value.length > 0 ? 'project' : 'default' }
}

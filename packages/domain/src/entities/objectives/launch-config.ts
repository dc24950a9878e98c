import type { LaunchConfig } from '@svc/contracts/execution-request'
import type { ForecastSettings } from '@svc/contracts/launch-forecast'
import type { ProjectLaunchSettings } from '@svc/contracts/launch-settings'
import { defaultRights } from '@svc/contracts/rights'
import type { Queryable } from '@svc/db/database'
import type { ObjectiveRow, ProjectRow } from '@svc/db/tables'
import type { Ref } from '../../common/ids.ts'

export interface LaunchChoice {
  agent: string
  model?: string | undefined
  reasoningEffort?: string | undefined
  resourceKey?: string | undefined
  fromBase?: boolean | undefined
  /** The name of the one runner that may take it. */
  runner?: string | undefined
}

/** A run that was delivered before in the same mission. */
export interface Before {
  agent: string
  model: string | null
  reasoning_effort: string | null
}

/**
 * The agent, model and effort of an automatic launch: those of the objective, else those of the run before, model and effort
 * only where it had the same agent. Undefined where neither names an agent. Decision 28.
 */
export function inheritChoice(
  objective: Pick<ObjectiveRow, 'assigned_agent' | 'model' | 'reasoning_effort'>,
  before: Before | undefined,
): LaunchChoice | undefined {
  const agent = objective.assigned_agent ?? before?.agent
  if (agent === undefined) return undefined
  const same = agent === before?.agent ? before : undefined
  return {
    agent,
    model: objective.model ?? same?.model ?? undefined,
    reasoningEffort: objective.reasoning_effort ?? same?.reasoning_effort ?? undefined,
  }
}

interface Settings extends Pick<ProjectRow, 'pre_command'> {
  agent_settings: ProjectLaunchSettings['agents']
}

export function selectLaunchSettings(db: Queryable, project: Ref) {
  return db
    .selectFrom('projects')
    .select(['pre_command', 'agent_settings'])
    .where('workspace_id', '=', project.workspace_id)
    .where('id', '=', project.id)
}

/**
 * What the run is started with, frozen now, each value with where it came from: the request, else the objective, else
 * the project's settings for that agent, else the agent's own default. Decision 20.
 */
export function resolveConfig(
  choice: LaunchChoice,
  objective: Pick<ObjectiveRow, 'assigned_agent' | 'model' | 'reasoning_effort'>,
  settings: Settings,
): LaunchConfig {
  const ofAgent = settings.agent_settings[choice.agent]
  // a model or an effort means something to the agent that it was chosen for alone
  const own = objective.assigned_agent === null || objective.assigned_agent === choice.agent
  return {
    agent: { value: choice.agent, source: 'request' },
    model: firstOf(choice.model, own ? objective.model : null, ofAgent?.model),
    reasoningEffort: firstOf(
      choice.reasoningEffort,
      own ? objective.reasoning_effort : null,
      ofAgent?.reasoningEffort,
    ),
    preCommand: settings.pre_command
      ? { value: settings.pre_command, source: 'project' }
      : { value: null, source: 'default' },
    flags: ofAgent?.flags
      ? { value: ofAgent.flags, source: 'project' }
      : { value: [], source: 'default' },
  }
}

/** What an agent of the project may do, before the bound of a runner. */
export function resolveRights(
  { agent_settings: agents }: Pick<Settings, 'agent_settings'>,
  agent: string | null,
): ForecastSettings['rights'] {
  // an agent may be called as what every object has
  const own = agent !== null && Object.hasOwn(agents, agent) ? agents[agent]?.rights : undefined
  return own ? { value: own, source: 'project' } : { value: defaultRights, source: 'default' }
}

function firstOf(
  request: string | undefined,
  objective: string | null,
  project: string | undefined,
): LaunchConfig['model'] {
  if (request !== undefined) return { value: request, source: 'request' }
  if (objective !== null) return { value: objective, source: 'objective' }
  if (project !== undefined) return { value: project, source: 'project' }
  return { value: null, source: 'default' }
}

import type { ExecutionRequest } from '@svc/contracts/execution-request'
import type { KnownAgent } from '@svc/contracts/known-agent'
import type { Objective } from '@svc/contracts/objective'
import type { RouteRequest } from '@svc/contracts/rest'

/** What is chosen in the sheet; an empty text leaves the choice to the objective, the project or the agent. */
export type Choice = {
  agent: string
  model: string
  effort: string
  resource: string
  fromBase: boolean
  runner: string
}

/** What a step of the service asks for. */
export interface WantedLaunch {
  agent?: string | undefined
  resourceKey?: string | undefined
}

type Chosen = Pick<Objective, 'assigned_agent' | 'resource_key'>

/** What is asked for, else what the objective says, else what ran last, else the only one that is offered. */
export function firstChoice(
  objective: Chosen,
  lastRun: Pick<ExecutionRequest, 'agent'> | undefined,
  wanted: WantedLaunch,
  offered: readonly string[],
): Choice {
  const candidates = [named(wanted.agent), objective.assigned_agent, lastRun?.agent]
  const known = candidates.filter((agent) => agent != null)
  const [only, ...others] = offered
  const single = others.length === 0 ? only : undefined
  return {
    agent: known.find((agent) => offered.includes(agent)) ?? known[0] ?? single ?? '',
    model: '',
    effort: '',
    resource: named(wanted.resourceKey) ?? '',
    fromBase: false,
    runner: '',
  }
}

/** For an objective that is queued: its own, else none where it inherits one, else the only one that is offered. */
export function firstAgent(
  own: string,
  inherited: string | undefined,
  known: readonly Pick<KnownAgent, 'key' | 'runners'>[],
): string {
  if (own !== '' || inherited !== undefined) return own
  const [only, ...others] = known.filter(({ runners }) => runners.length > 0)
  return others.length === 0 ? (only?.key ?? '') : ''
}

/** The agents that runners have reported, with the one that is chosen. */
export function agentChoices(
  known: readonly Pick<KnownAgent, 'key' | 'runners'>[],
  chosen: string,
): { value: string; text: string }[] {
  const keys = [...new Set([...known.map(({ key }) => key), chosen])].filter(Boolean)
  const isOffered = (key: string) => known.some((one) => one.key === key && one.runners.length > 0)
  return keys.map((key) => ({ value: key, text: isOffered(key) ? key : `${key} (no runner)` }))
}

/** A step may hold `<key>` where nobody knows which. */
function named(value: string | undefined): string | undefined {
  return value?.startsWith('<') ? undefined : value
}

export function requestOf(id: string, choice: Choice): RouteRequest<'launchObjective'> {
  const { agent, model, effort, resource, fromBase, runner } = choice
  return {
    id,
    agent,
    ...(model.trim() !== '' && { model: model.trim() }),
    ...(effort !== '' && { reasoningEffort: effort }),
    ...(resource !== '' && { resourceKey: resource }),
    ...(fromBase && { fromBase }),
    ...(runner !== '' && { runner }),
  }
}

/** What is asked of it before it is sent; nothing where its agent cannot be one's name yet. */
export function forecastOf(id: string, choice: Choice): RouteRequest<'forecastLaunch'> | undefined {
  if (!/^[a-z0-9][a-z0-9_-]{0,39}$/.test(choice.agent)) return undefined
  const { fromBase, ...request } = requestOf(id, choice)
  return { ...request, ...(fromBase && { fromBase: 'true' }) }
}

/** The same launch in a terminal on a machine, which shows all that would run there. */
export function dryRunOf(displayId: string, choice: Choice): string {
  const { agent, model, effort, resource, fromBase } = choice
  return [
    `svc launch ${displayId} --dry-run`,
    ...(agent === '' ? [] : [`--agent ${agent}`]),
    ...(model.trim() === '' ? [] : [`--model ${quoted(model.trim())}`]),
    ...(effort === '' ? [] : [`--effort ${quoted(effort)}`]),
    ...(resource === '' ? [] : [`--resource ${resource}`]),
    ...(fromBase ? ['--from-base'] : []),
  ].join(' ')
}

function quoted(text: string): string {
  return /^[\w.@:/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

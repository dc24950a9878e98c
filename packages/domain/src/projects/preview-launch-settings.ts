import {
  type ProjectLaunchSettings,
  addsNothing,
  launchSettingsOf,
  usedBy,
} from '@svc/contracts/launch-settings'
import type { PreviewedLaunch } from '@svc/contracts/previewed-launch'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { resolveConfig, resolveRights } from '../entities/objectives/launch-config.ts'
import { requireProject, scopeOfProject } from '../entities/projects/queries.ts'
import type { UseCase } from '../use-case.ts'
import { viewLaunchSettings } from './launch-settings.ts'

/** The values of the project's variables are in it: it is for whoever may read them. */
export async function previewLaunchSettings(
  { domain }: UseCase,
  actor: Actor,
  { id, agent, ...given }: RouteInput<'previewLaunchSettings'>,
): Promise<RouteOutput<'previewLaunchSettings'>> {
  const project = await requireProject(domain.db, actor.workspaceId, id)
  authorize(actor, 'execution_request:claim', scopeOfProject(project, id))
  const now = viewLaunchSettings(project)
  return { before: previewOf(agent, now), after: previewOf(agent, { ...now, ...named(given) }) }
}

type Given = Omit<RouteInput<'previewLaunchSettings'>, 'id' | 'agent'>

function named(given: Given): Partial<ProjectLaunchSettings> {
  // those of its entries that have a value
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as Partial<ProjectLaunchSettings>
}

const choosesNothing = { assigned_agent: null, model: null, reasoning_effort: null }

function previewOf(
  agent: string,
  { revision: _revision, ...settings }: ProjectLaunchSettings,
): PreviewedLaunch {
  const row = { pre_command: settings.preCommand, agent_settings: settings.agents }
  const launchSettings = launchSettingsOf(settings)
  return {
    config: resolveConfig({ agent }, choosesNothing, row),
    rights: resolveRights(row, agent),
    launchSettings,
    needsTrust: !addsNothing(usedBy(agent, launchSettings)),
  }
}

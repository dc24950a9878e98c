import type { ProjectLaunchSettings } from '@svc/contracts/launch-settings'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { ProjectRow } from '@svc/db/tables'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { recordAudit } from '../audit/record.ts'
import { inTransaction } from '../commit/transaction.ts'
import { refuseIfRevised } from '../common/revision.ts'
import type { UseCase } from '../use-case.ts'
import { lockProject } from '../entities/projects/lock-project.ts'
import { scopeOfProject, requireProject } from '../entities/projects/queries.ts'
import { recordProjectChange } from './record-change.ts'
import { changeProject } from './update.ts'

/** A claim hands them to a runner, so whoever may claim may read them. */
export async function getLaunchSettings(
  { domain }: UseCase,
  actor: Actor,
  { id }: RouteInput<'getLaunchSettings'>,
): Promise<RouteOutput<'getLaunchSettings'>> {
  const project = await requireProject(domain.db, actor.workspaceId, id)
  authorize(actor, 'execution_request:claim', scopeOfProject(project, id))
  return { launchSettings: viewLaunchSettings(project) }
}

/** A run has the command in front and the agent's settings from its launch, and the rest from its claim. */
export async function updateLaunchSettings(
  context: UseCase,
  actor: Actor,
  { id, expectedRevision, ...given }: RouteInput<'updateLaunchSettings'>,
): Promise<RouteOutput<'updateLaunchSettings'>> {
  return inTransaction(context, async (tx) => {
    const project = await lockProject(tx, actor.workspaceId, id)
    authorize(actor, 'project:configure_launch', scopeOfProject(project, id))
    refuseIfRevised(project.revision, expectedRevision, () => ({
      launchSettings: viewLaunchSettings(project),
    }))
    const before = viewLaunchSettings(project)
    const wanted = { ...before, ...given }
    const changed = await changeProject(tx, project, {
      pre_command: wanted.preCommand,
      pre_launch_commands: JSON.stringify(wanted.preLaunchCommands),
      launch_env_vars: JSON.stringify(wanted.launchEnvVars),
      agent_settings: JSON.stringify(wanted.agents),
      push_branches: wanted.pushBranches,
      allowed_commands: JSON.stringify(wanted.allowedCommands),
      checks: JSON.stringify(wanted.checks),
    })
    const after = viewLaunchSettings(changed)
    context.domain.heedLaunchSettings({ actor, project, before, after })
    recordProjectChange(tx, changed, 'launch_settings', { revision: changed.revision })
    recordAudit(tx, context, actor, {
      action: 'launch_settings.changed',
      targetId: project.id,
      projectId: project.id,
      details: { name: project.slug, ...changeOf(before, after) },
    })
    return { launchSettings: after }
  })
}

/** Names what changed; of variables only the names, since their values may be secrets. */
function changeOf(before: ProjectLaunchSettings, after: ProjectLaunchSettings) {
  const [had, has] = [before.launchEnvVars, after.launchEnvVars]
  return {
    before: withoutVariables(before),
    after: withoutVariables(after),
    variablesSet: Object.keys(has).filter((name) => has[name] !== had[name]),
    variablesRemoved: Object.keys(had).filter((name) => !Object.hasOwn(has, name)),
  }
}

function withoutVariables(settings: ProjectLaunchSettings) {
  const { launchEnvVars: _values, revision: _revision, ...shown } = settings
  return shown
}

export function viewLaunchSettings(project: ProjectRow): ProjectLaunchSettings {
  return {
    preCommand: project.pre_command,
    preLaunchCommands: project.pre_launch_commands,
    launchEnvVars: project.launch_env_vars,
    agents: project.agent_settings,
    pushBranches: project.push_branches,
    allowedCommands: project.allowed_commands,
    checks: project.checks,
    revision: project.revision,
  }
}

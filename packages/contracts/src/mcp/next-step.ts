import { commandOf } from '../command-step.ts'
import { type NextStep, type StepName, stepPurpose } from '../next-step.ts'
import type { ToolName } from './tools.ts'

type Snake<Name extends string> = Name extends `${infer Letter}${infer Rest}`
  ? `${Letter extends Lowercase<Letter> ? Letter : `_${Lowercase<Letter>}`}${Snake<Rest>}`
  : ''

/** The tool of the step's own name where there is one. */
type ToolOf<Name extends StepName> =
  Extract<ToolName, `svc_${Snake<Name>}`> extends infer Own
    ? [Own] extends [never]
      ? ToolName | null
      : Own
    : never

/** The tool that takes the step; null where only a person can, outside of the tools. */
const toolOf: { readonly [Name in StepName]: ToolOf<Name> } = {
  listProjects: 'svc_resolve_project',
  listProjectStatuses: 'svc_list_project_statuses',
  listProjectResources: null,
  linkProjectResource: null,
  listMissions: 'svc_search_missions',
  listDeletedMissions: null,
  listDeletedObjectives: null,
  getMission: 'svc_load_mission_context',
  updateMission: null,
  listArtifacts: 'svc_load_mission_context',
  listAttachments: 'svc_load_mission_context',
  addObjectives: 'svc_add_objectives',
  getObjective: 'svc_load_mission_context',
  updateObjective: 'svc_update_objective',
  launchObjective: 'svc_launch_objective',
  resumeObjective: null,
  listExecutionRequests: 'svc_load_mission_context',
  getExecutionRequest: 'svc_load_mission_context',
  cancelExecutionRequest: null,
  cancelObjective: null,
  deleteMissions: 'svc_delete_missions',
  restoreMission: null,
  deleteObjectives: 'svc_delete_objectives',
  restoreObjective: null,
  moveMission: null,
  listRunQueues: 'svc_list_run_queues',
  queueObjective: 'svc_queue_objective',
  listRunners: 'svc_resolve_project',
  listUserTokens: null,
  listInvitations: null,
  listMembers: null,
  listWorkspaceTokens: null,
  listConnectedApplications: null,
  createUserToken: null,
  listInboxItems: null,
  listNotifications: null,
  listQuestions: null,
  answerQuestion: null,
  listWebhooks: null,
  listWebhookDeliveries: null,
  enableWebhook: null,
  testWebhook: null,
  attach: 'svc_attach_session',
  ask: 'svc_update_session',
  connectResource: null,
  trustLaunchSettings: null,
  pushBranch: null,
}

/** The step in the words of who has tools; where none takes it, the command of a person who does. */
export function toolStep(next: NextStep): string {
  const { operation } = next
  const tool = toolOf[operation]
  const purpose = stepPurpose[operation]
  if (tool === null) return `${purpose} (a person does): ${commandOf(next)}`
  return [`${purpose}: ${tool}`, confirmed(next)].filter(Boolean).join(' ')
}

/** The arguments of a call that takes away exactly what was shown. */
function confirmed({ operation, params }: NextStep): string | undefined {
  if (operation !== 'deleteMissions' && operation !== 'deleteObjectives') return undefined
  const { running, ...named } = params
  const ids = Object.entries(named).map(([name, refs]) => [name, refs.split(' ')])
  const runs = running === undefined ? {} : { running: running.split(' ') }
  return JSON.stringify({ ...Object.fromEntries(ids), confirm: true, ...runs })
}

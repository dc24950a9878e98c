import { z } from 'zod'
import { ref, row } from './step-row.ts'
import { terminalSteps } from './terminal-steps.ts'

/** What people call that which `id` names to the service, where this is another word. */
const queueWords = { project: ref, queue: ref.optional() }

/** Without a name, the default queue of the project. */
function nameOfQueue({ project, queue }: { project: string; queue?: string | undefined }): string {
  return queue === undefined ? project : `${project} ${quoted(queue)}`
}

/** Every step, in every surface's words: an operation of the service, or something that a person does on a machine. */
export const steps = {
  listProjects: row({}, 'List them with', () => 'svc projects list', 'svc_resolve_project'),
  listProjectStatuses: row(
    { id: ref.optional() },
    'List them with',
    ({ id = '<project>' }) => `svc projects show ${id}`,
    'svc_list_project_statuses',
  ),
  listProjectResources: row(
    { id: ref.optional() },
    'List them with',
    ({ id = '<project>' }) => `svc resource list ${id}`,
    null,
  ),
  listMissions: row({}, 'List them with', () => 'svc missions list', 'svc_search_missions'),
  listDeletedMissions: row(
    {},
    'List those that can be restored with',
    () => 'svc missions list --deleted',
    null,
  ),
  listDeletedObjectives: row(
    { id: ref.optional() },
    'List those that can be restored with',
    ({ id = '<mission>' }) => `svc objectives list ${id} --deleted`,
    null,
  ),
  getMission: row(
    { id: ref.optional() },
    'List them with',
    ({ id = '<mission>' }) => `svc objectives list ${id}`,
    'svc_load_mission_context',
  ),
  updateMission: row(
    {
      id: ref,
      allowParallelObjectives: z.literal(true).optional(),
      budget: z
        .strictObject({ usd: ref.optional(), tokens: ref.optional(), runs: ref.optional() })
        .optional(),
    },
    ({ budget }) =>
      budget ? 'Set its budget with' : 'Let its objectives run at the same time with',
    ({ id, budget }) =>
      [
        `svc missions edit ${id}`,
        ...(budget
          ? Object.entries(budget).map((one) => `--budget-${one.join(' ')}`)
          : ['--parallel on']),
      ].join(' '),
    null,
  ),
  listArtifacts: row(
    { id: ref.optional() },
    'List them with',
    ({ id = '<mission>' }) => `svc artifacts list ${id}`,
    'svc_load_mission_context',
  ),
  listAttachments: row(
    { id: ref.optional() },
    'List them with',
    ({ id = '<objective>' }) => `svc attachments list ${id}`,
    'svc_load_mission_context',
  ),
  addObjectives: row(
    { id: ref },
    'Add an objective',
    ({ id }) => `svc objectives add ${id} --instruction-file -`,
    'svc_add_objectives',
  ),
  getObjective: row(
    { id: ref },
    'Read it again',
    ({ id }) => `svc objectives show ${id}`,
    'svc_load_mission_context',
  ),
  updateObjective: row(
    { id: ref, assigned_agent: ref.optional(), resource_key: ref.optional() },
    'Give it one',
    ({ id, assigned_agent: agent, resource_key: resource }) => {
      const instruction = agent === undefined && resource === undefined
      return [
        `svc objectives edit ${id}`,
        ...(instruction ? ['--instruction-file -'] : []),
        ...(agent === undefined ? [] : ['--agent', agent]),
        ...(resource === undefined ? [] : ['--resource', resource]),
      ].join(' ')
    },
    'svc_update_objective',
  ),
  launchObjective: row(
    {
      id: ref.optional(),
      agent: ref.optional(),
      resourceKey: ref.optional(),
      runner: ref.optional(),
    },
    'Launch it with',
    ({ id, agent, resourceKey = id === undefined ? '<resource>' : undefined, runner }) =>
      [
        `svc launch ${id ?? '<objective>'}`,
        ...(agent === undefined ? [] : ['--agent', agent]),
        ...(resourceKey === undefined ? [] : ['--resource', resourceKey]),
        ...(runner === undefined ? [] : ['--runner', quoted(runner)]),
      ].join(' '),
    'svc_launch_objective',
  ),
  resumeObjective: row({ id: ref }, 'Go on with it', ({ id }) => `svc resume ${id}`, null),
  listExecutionRequests: row(
    { objectiveId: ref.optional() },
    'See the runs with',
    ({ objectiveId }) =>
      objectiveId === undefined ? 'svc runs list' : `svc runs list --objective ${objectiveId}`,
    'svc_load_mission_context',
  ),
  getExecutionRequest: row(
    { id: ref },
    'See the run with',
    ({ id }) => `svc runs show ${id}`,
    'svc_load_mission_context',
  ),
  cancelExecutionRequest: row({ id: ref }, 'Cancel it with', ({ id }) => `svc cancel ${id}`, null),
  cancelObjective: row({ id: ref }, 'Call it off with', ({ id }) => `svc cancel ${id}`, null),
  deleteMissions: row(
    { missionIds: ref, running: ref.optional() },
    'Once a person has approved this list, confirm it with',
    ({ missionIds, running }) =>
      `svc missions delete ${missionIds} --confirm${running ? ` --running ${running}` : ''}`,
    'svc_delete_missions',
  ),
  restoreMission: row(
    { id: ref },
    'Restore it with',
    ({ id }) => `svc missions restore ${id}`,
    null,
  ),
  deleteObjectives: row(
    { objectiveIds: ref, running: ref.optional() },
    'Once a person has approved this list, confirm it with',
    ({ objectiveIds, running }) =>
      `svc objectives delete ${objectiveIds} --confirm${running ? ` --running ${running}` : ''}`,
    'svc_delete_objectives',
  ),
  restoreObjective: row(
    { id: ref },
    'Restore it with',
    ({ id }) => `svc objectives restore ${id}`,
    null,
  ),
  // a closed mission is opened again
  moveMission: row(
    { id: ref, statusId: ref.optional(), cancelRunning: z.literal(true).optional() },
    'Move it with',
    ({ id, statusId = 'execute', cancelRunning }) =>
      `svc missions move ${id} ${statusId}${cancelRunning ? ' --cancel-running' : ''}`,
    null,
  ),
  acceptMission: row({ id: ref }, 'Close it with', ({ id }) => `svc review ${id} --accept`, null),
  askForChanges: row(
    { id: ref },
    'Say what is to be different',
    ({ id }) => `svc review ${id} --changes-file -`,
    null,
  ),
  listDeliveries: row(
    { id: ref },
    'Read what was delivered with',
    ({ id }) => `svc review ${id}`,
    'svc_list_deliveries',
  ),
  listMissionEvents: row(
    { id: ref },
    'Follow it with',
    ({ id }) => `svc missions watch ${id}`,
    'svc_load_mission_context',
  ),
  listRunQueues: row(
    { id: ref.optional() },
    'See the queues with',
    ({ id = '<project>' }) => `svc queue list ${id}`,
    'svc_list_run_queues',
  ),
  queueObjective: row(
    { objectiveId: ref, queue: ref },
    'Should it stop without a delivery, put it back with',
    ({ objectiveId, queue }) => `svc queue add ${objectiveId} --queue ${quoted(queue)}`,
    'svc_queue_objective',
  ),
  startRunQueue: row(
    { id: ref, ...queueWords },
    'Launch its first with',
    (queue) => `svc queue start ${nameOfQueue(queue)}`,
    null,
  ),
  resumeRunQueue: row(
    { id: ref, ...queueWords },
    'Let it go on with',
    (queue) => `svc queue resume ${nameOfQueue(queue)}`,
    null,
  ),
  retryRunQueueEntry: row(
    { id: ref, objective: ref },
    'Try it again with',
    ({ objective }) => `svc queue retry ${objective}`,
    null,
  ),
  listRunners: row({}, 'See who is there with', () => 'svc runner status', 'svc_resolve_project'),
  listUserTokens: row({}, 'List them with', () => 'svc tokens list', null),
  listInvitations: row({}, 'List them with', () => 'svc invitations list', null),
  listMembers: row({}, 'List them with', () => 'svc members list', null),
  listWorkspaceTokens: row({}, 'List them with', () => 'svc tokens list --all', null),
  listConnectedApplications: row({}, 'List them with', () => 'svc applications list', null),
  createUserToken: row(
    { label: ref, preset: ref.optional() },
    'Create one in its place with',
    ({ label, preset }) =>
      `svc tokens create ${quoted(label)} ${preset === undefined ? '--permission <permission>' : `--preset ${preset}`}`,
    null,
  ),
  listInboxItems: row({}, 'List them with', () => 'svc inbox list --all', null),
  listNotifications: row({}, 'List them with', () => 'svc notifications list', null),
  listQuestions: row(
    { objectiveId: ref.optional() },
    'List them with',
    ({ objectiveId }) =>
      objectiveId === undefined
        ? 'svc questions list'
        : `svc questions list --objective ${objectiveId}`,
    null,
  ),
  answerQuestion: row(
    { id: ref, optionId: ref.optional(), objective: ref.optional() },
    'Answer it with',
    ({ id, optionId, objective = id }) =>
      `svc questions answer ${objective} ${optionId === undefined ? '--text-file -' : `--option ${quoted(optionId)}`}`,
    null,
  ),
  listWebhooks: row({}, 'List them with', () => 'svc webhooks list', null),
  listWebhookDeliveries: row(
    { id: ref.optional() },
    'List them with',
    ({ id = '<webhook>' }) => `svc webhooks deliveries ${id}`,
    null,
  ),
  enableWebhook: row({ id: ref }, 'Enable it with', ({ id }) => `svc webhooks enable ${id}`, null),
  testWebhook: row({ id: ref }, 'Send another with', ({ id }) => `svc webhooks test ${id}`, null),
  ...terminalSteps,
}

/** One word of a shell, whatever people call a thing. */
function quoted(text: string): string {
  return /^[\w.-]*\w$/.test(text) && !text.startsWith('-')
    ? text
    : `'${text.replaceAll("'", `'\\''`)}'`
}

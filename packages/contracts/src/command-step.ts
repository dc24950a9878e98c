import type { NextStep, StepName, StepParams } from './next-step.ts'

/** The command that takes the step; a `<name>` stands for what the refusal did not know. */
const commands: { readonly [N in StepName]: (params: StepParams[N]) => string } = {
  listProjects: () => 'svc projects list',
  listProjectStatuses: ({ id = '<project>' }) => `svc projects show ${id}`,
  listProjectResources: ({ id = '<project>' }) => `svc resource list ${id}`,
  linkProjectResource: () => 'svc resource link <project> <path> --base <branch>',
  listMissions: () => 'svc missions list',
  listDeletedMissions: () => 'svc missions list --deleted',
  listDeletedObjectives: ({ id = '<mission>' }) => `svc objectives list ${id} --deleted`,
  getMission: ({ id = '<mission>' }) => `svc objectives list ${id}`,
  updateMission: ({ id }) => `svc missions edit ${id} --parallel on`,
  listArtifacts: ({ id = '<mission>' }) => `svc artifacts list ${id}`,
  listAttachments: ({ id = '<objective>' }) => `svc attachments list ${id}`,
  addObjectives: ({ id }) => `svc objectives add ${id} --instruction-file -`,
  getObjective: ({ id }) => `svc objectives show ${id}`,
  updateObjective: ({ id, assigned_agent: agent }) =>
    agent === undefined
      ? `svc objectives edit ${id} --instruction-file -`
      : `svc objectives edit ${id} --agent ${agent}`,
  launchObjective: ({ id = '<objective>', agent }) =>
    agent === undefined
      ? `svc launch ${id} --resource <resource>`
      : `svc launch ${id} --agent ${agent}`,
  resumeObjective: ({ id }) => `svc resume ${id}`,
  listExecutionRequests: ({ objectiveId }) =>
    objectiveId === undefined ? 'svc runs list' : `svc runs list --objective ${objectiveId}`,
  getExecutionRequest: ({ id }) => `svc runs show ${id}`,
  cancelExecutionRequest: ({ id }) => `svc cancel ${id}`,
  cancelObjective: ({ id }) => `svc cancel ${id}`,
  deleteMissions: ({ missionIds, running }) =>
    `svc missions delete ${missionIds} --confirm${running ? ` --running ${running}` : ''}`,
  restoreMission: ({ id }) => `svc missions restore ${id}`,
  deleteObjectives: ({ objectiveIds, running }) =>
    `svc objectives delete ${objectiveIds} --confirm${running ? ` --running ${running}` : ''}`,
  restoreObjective: ({ id }) => `svc objectives restore ${id}`,
  // a closed mission is opened again
  moveMission: ({ id, statusId = 'execute', cancelRunning }) =>
    `svc missions move ${id} ${statusId}${cancelRunning ? ' --cancel-running' : ''}`,
  listRunQueues: ({ id = '<project>' }) => `svc queue list ${id}`,
  queueObjective: ({ objectiveId, queue }) =>
    `svc queue add ${objectiveId} --queue ${quoted(queue)}`,
  listRunners: () => 'svc runner status',
  listUserTokens: () => 'svc tokens list',
  listInvitations: () => 'svc invitations list',
  listMembers: () => 'svc members list',
  listWorkspaceTokens: () => 'svc tokens list --all',
  listConnectedApplications: () => 'svc applications list',
  createUserToken: ({ label, preset }) =>
    `svc tokens create ${quoted(label)} ${preset === undefined ? '--permission <permission>' : `--preset ${preset}`}`,
  listInboxItems: () => 'svc inbox list --all',
  listNotifications: () => 'svc notifications list',
  listQuestions: ({ objectiveId }) =>
    objectiveId === undefined
      ? 'svc questions list'
      : `svc questions list --objective ${objectiveId}`,
  answerQuestion: ({ id }) => `svc questions answer ${id} --text-file -`,
  listWebhooks: () => 'svc webhooks list',
  listWebhookDeliveries: ({ id = '<webhook>' }) => `svc webhooks deliveries ${id}`,
  enableWebhook: ({ id }) => `svc webhooks enable ${id}`,
  testWebhook: ({ id }) => `svc webhooks test ${id}`,
  attach: ({ objectiveId, takeOver }) =>
    [
      'svc protocol attach --agent <agent>',
      ...(objectiveId === undefined ? [] : ['--objective-id', objectiveId]),
      ...(takeOver ? ['--take-over'] : []),
    ].join(' '),
  ask: ({ questionId }) => `svc protocol ask --question-id ${questionId} --wait`,
  connectResource: () => 'svc resource link, then svc runner start',
  trustLaunchSettings: ({ project }) => `svc runner trust ${project}`,
  pushBranch: ({ id, resourceKey }) => `svc review ${id} --resource ${resourceKey} --push`,
}

/** One word of a shell, whatever people call a thing. */
function quoted(text: string): string {
  return /^[\w.-]*\w$/.test(text) && !text.startsWith('-')
    ? text
    : `'${text.replaceAll("'", `'\\''`)}'`
}

/** The command of a person that takes the step. */
export function commandOf<N extends StepName>({ operation, params }: NextStep<N>): string {
  return commands[operation](params)
}

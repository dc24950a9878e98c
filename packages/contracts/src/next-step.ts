import { z } from 'zod'
import { MissionDisplayId, ObjectiveDisplayId, ResourceKey, Slug, Uuid } from './ids.ts'

function step<const Name extends string, Params extends z.ZodRawShape>(
  operation: Name,
  params: Params,
) {
  return z.strictObject({ operation: z.literal(operation), params: z.strictObject(params) })
}

const ref = z.string()

/**
 * What helps after a refusal, as data that every surface says in its own words: an operation of the service with what
 * is known of its input, or something that a person does on a machine.
 */
export const NextStep = z.discriminatedUnion('operation', [
  step('listProjects', {}),
  step('listProjectStatuses', { id: ref.optional() }),
  step('listProjectResources', { id: ref.optional() }),
  step('linkProjectResource', {}),
  step('listMissions', {}),
  step('listDeletedMissions', {}),
  step('listDeletedObjectives', { id: ref.optional() }),
  step('getMission', { id: ref.optional() }),
  step('updateMission', { id: ref, allowParallelObjectives: z.literal(true) }),
  step('listArtifacts', { id: ref.optional() }),
  step('listAttachments', { id: ref.optional() }),
  step('addObjectives', { id: ref }),
  step('getObjective', { id: ref }),
  step('updateObjective', { id: ref, assigned_agent: ref.optional() }),
  step('launchObjective', { id: ref.optional(), agent: ref.optional() }),
  step('resumeObjective', { id: ref }),
  step('listExecutionRequests', { objectiveId: ref.optional() }),
  step('getExecutionRequest', { id: ref }),
  step('cancelExecutionRequest', { id: ref }),
  step('cancelObjective', { id: ref }),
  step('deleteMissions', { missionIds: ref, running: ref.optional() }),
  step('restoreMission', { id: ref }),
  step('deleteObjectives', { objectiveIds: ref, running: ref.optional() }),
  step('restoreObjective', { id: ref }),
  step('moveMission', {
    id: ref,
    statusId: ref.optional(),
    cancelRunning: z.literal(true).optional(),
  }),
  step('listRunQueues', { id: ref.optional() }),
  step('queueObjective', { objectiveId: ref, queue: ref }),
  step('listRunners', {}),
  step('listUserTokens', {}),
  step('listInvitations', {}),
  step('listMembers', {}),
  step('listWorkspaceTokens', {}),
  step('listConnectedApplications', {}),
  step('createUserToken', { label: ref, preset: ref.optional() }),
  step('listInboxItems', {}),
  step('listNotifications', {}),
  step('listQuestions', { objectiveId: ref.optional() }),
  step('answerQuestion', { id: ref }),
  step('listWebhooks', {}),
  step('listWebhookDeliveries', { id: ref.optional() }),
  step('enableWebhook', { id: ref }),
  step('testWebhook', { id: ref }),
  step('attach', { objectiveId: ref.optional(), takeOver: z.literal(true).optional() }),
  step('ask', { questionId: ref }),
  step('connectResource', { resourceKey: ref }),
  step('trustLaunchSettings', { project: ref }),
  step('pushBranch', { id: ref, resourceKey: ref }),
])

/** Those that a runner may name: people are shown them as commands, so nothing in them is free text. */
export const RunnerStep = z.discriminatedUnion('operation', [
  step('getExecutionRequest', { id: Uuid }),
  step('linkProjectResource', {}),
  step('connectResource', { resourceKey: ResourceKey }),
  step('trustLaunchSettings', { project: Slug }),
  step('pushBranch', {
    id: z.union([MissionDisplayId, ObjectiveDisplayId]),
    resourceKey: ResourceKey,
  }),
])
export type RunnerStep = z.infer<typeof RunnerStep>

type AnyStep = z.infer<typeof NextStep>
export type StepName = AnyStep['operation']
export type StepParams = { [S in AnyStep as S['operation']]: S['params'] }
export type NextStep<Name extends StepName = StepName> = {
  [N in Name]: { operation: N; params: StepParams[N] }
}[Name]

/** What the step is good for, said before the command, the tool or the link that takes it. */
export const stepPurpose: Readonly<Record<StepName, string>> = {
  listProjects: 'List them with',
  listProjectStatuses: 'List them with',
  listProjectResources: 'List them with',
  linkProjectResource: 'On that machine, name another branch with',
  listMissions: 'List them with',
  listDeletedMissions: 'List those that can be restored with',
  listDeletedObjectives: 'List those that can be restored with',
  getMission: 'List them with',
  updateMission: 'Let its objectives run at the same time with',
  listArtifacts: 'List them with',
  listAttachments: 'List them with',
  addObjectives: 'Add an objective',
  getObjective: 'Read it again',
  updateObjective: 'Give it one',
  launchObjective: 'Launch it with',
  resumeObjective: 'Go on with it',
  listExecutionRequests: 'See the runs with',
  getExecutionRequest: 'See the run with',
  cancelExecutionRequest: 'Cancel it with',
  cancelObjective: 'Call it off with',
  deleteMissions: 'Once a person has approved this list, confirm it with',
  restoreMission: 'Restore it with',
  deleteObjectives: 'Once a person has approved this list, confirm it with',
  restoreObjective: 'Restore it with',
  moveMission: 'Move it with',
  listRunQueues: 'See the queues with',
  queueObjective: 'Should it stop without a delivery, put it back with',
  listRunners: 'See who is there with',
  listUserTokens: 'List them with',
  listInvitations: 'List them with',
  listMembers: 'List them with',
  listWorkspaceTokens: 'List them with',
  listConnectedApplications: 'List them with',
  createUserToken: 'Create one in its place with',
  listInboxItems: 'List them with',
  listNotifications: 'List them with',
  listQuestions: 'List them with',
  answerQuestion: 'Answer it with',
  listWebhooks: 'List them with',
  listWebhookDeliveries: 'List them with',
  enableWebhook: 'Enable it with',
  testWebhook: 'Send another with',
  attach: 'Attach with',
  ask: 'Wait for its answer with',
  connectResource: 'On that machine',
  trustLaunchSettings: 'On the machine of the runner, look at them and trust them with',
  pushBranch: 'On the machine of that runner, push it with',
}

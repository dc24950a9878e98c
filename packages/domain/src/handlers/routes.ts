import type { RouteInput, RouteName, RouteOutput, restContracts } from '@svc/contracts/rest'
import type { EndpointContract } from '@svc/contracts/rest/endpoint'
import type { Actor } from '../common/actor.ts'
import { getMe } from '../user-tokens/get-me.ts'
import { addArtifact } from '../artifacts/add.ts'
import { listArtifacts } from '../artifacts/list.ts'
import { updateArtifact } from '../artifacts/update.ts'
import { addAttachment } from '../attachments/add.ts'
import { deleteAttachment } from '../attachments/delete.ts'
import { getAttachment, listAttachments } from '../attachments/read.ts'
import { listAudit } from '../audit/list.ts'
import { listBranches } from '../branches/list.ts'
import { reserveBranch } from '../execution-requests/reserve-branch.ts'
import { listDeliveries } from '../deliveries/list.ts'
import { appendRunLog } from '../execution-requests/append-log.ts'
import { cancelExecutionRequest } from '../execution-requests/cancel.ts'
import { claimExecutionRequest } from '../execution-requests/claim.ts'
import { heartbeatRunner } from '../execution-requests/heartbeat.ts'
import { getRunDiff } from '../execution-requests/read-diff.ts'
import { getRunFile, listRunFiles } from '../execution-requests/read-files.ts'
import { getRunLog } from '../execution-requests/read-log.ts'
import { listExecutionRequests } from '../execution-requests/list.ts'
import { getExecutionRequest } from '../execution-requests/read.ts'
import {
  reportExited,
  reportFailed,
  reportLaunched,
  reportLaunching,
  reportReleased,
} from '../execution-requests/report.ts'
import { reportCheck } from '../execution-requests/report-check.ts'
import { completeRunFiles } from '../execution-requests/complete-files.ts'
import { reportRunFiles } from '../execution-requests/report-files.ts'
import { reportRunPatches } from '../execution-requests/report-patches.ts'
import { replaceRunDiff } from '../execution-requests/replace-diff.ts'
import { createInboxItem } from '../inbox/create.ts'
import { deleteInboxItem } from '../inbox/delete.ts'
import { getInboxItem, listInboxItems } from '../inbox/read.ts'
import { turnInboxItem } from '../inbox/turn.ts'
import { updateInboxItem } from '../inbox/update.ts'
import { updateMember } from '../members/change-role.ts'
import { createInvitation } from '../members/invite.ts'
import { listInvitations } from '../members/list-invitations.ts'
import { getMemberAccess } from '../members/access.ts'
import { listMembers } from '../members/list.ts'
import { leaveWorkspace, removeMember } from '../members/remove.ts'
import { createResetLink } from '../members/reset-links.ts'
import { revokeInvitation } from '../members/revoke-invitation.ts'
import { createLoginRequest } from '../login-requests/create.ts'
import { pollLoginRequest } from '../login-requests/poll.ts'
import { acceptMission } from '../missions/accept.ts'
import { createMission } from '../missions/create.ts'
import { createMissionEvent } from '../missions/create-event.ts'
import { deleteMissions } from '../deletion/delete-mission.ts'
import { listMissionEvents } from '../missions/list-events.ts'
import { listFileChanges } from '../missions/list-file-changes.ts'
import { changeMissionStatus } from '../missions/move.ts'
import { getMission, listMissions } from '../missions/read.ts'
import { listDeletedMissions, listDeletedObjectives } from '../deletion/list-deleted.ts'
import { restoreMission } from '../deletion/restore-mission.ts'
import { updateMission } from '../missions/update.ts'
import { listNeeds } from '../needs/list.ts'
import { getBoard } from '../board/read.ts'
import { getUsage } from '../usage/read.ts'
import { listNotifications } from '../notifications/list.ts'
import { readNotifications } from '../notifications/read.ts'
import { addObjectives } from '../objectives/add.ts'
import { askForChanges } from '../objectives/ask-for-changes.ts'
import { resumeObjective } from '../launching/resume-objective.ts'
import { cancelObjective } from '../objectives/cancel.ts'
import { deleteObjectives } from '../deletion/delete-objective.ts'
import { launchObjective } from '../launching/launch.ts'
import { forecastLaunch } from '../launching/forecast-launch.ts'
import { previewLaunch } from '../launching/preview-launch.ts'
import { getObjective, listObjectives } from '../objectives/read.ts'
import { reorderFutureObjectives } from '../objectives/reorder.ts'
import { restoreObjective } from '../deletion/restore-objective.ts'
import { sendBackObjective } from '../objectives/send-back.ts'
import { submitObjective } from '../objectives/submit.ts'
import { updateObjective } from '../objectives/update.ts'
import { createProjectStatus } from '../projects/statuses/create-status.ts'
import { createProject } from '../projects/create.ts'
import { deleteProjectStatus } from '../projects/statuses/delete-status.ts'
import { getLaunchSettings, updateLaunchSettings } from '../projects/launch-settings.ts'
import { linkProjectResource } from '../projects/link-resource.ts'
import { listProjectResources } from '../projects/list-resources.ts'
import { previewLaunchSettings } from '../projects/preview-launch-settings.ts'
import { orderProjectStatuses } from '../projects/statuses/order-statuses.ts'
import { getProject, listProjectStatuses, listProjects } from '../projects/read.ts'
import { renameProjectStatus } from '../projects/statuses/rename-status.ts'
import { unlinkProjectResource } from '../projects/unlink-resource.ts'
import { updateProject } from '../projects/update.ts'
import { resolveProject } from '../entities/projects/resolve.ts'
import { changePassword } from '../people/change-password.ts'
import { endSignIn, endSignIns } from '../people/end-sign-ins.ts'
import { listIdentities } from '../people/list-identities.ts'
import { listSignIns } from '../people/list-sign-ins.ts'
import type { Person } from '../entities/people/person.ts'
import { unlinkIdentity } from '../people/unlink-identity.ts'
import type { Visitor } from '../people/visitor.ts'
import { answerQuestion } from '../questions/answer.ts'
import { getQuestion, listQuestions } from '../questions/list.ts'
import { countWaiting } from '../execution-requests/count-waiting.ts'
import { listAgents } from '../runners/list-agents.ts'
import { listRunners } from '../runners/list.ts'
import { getRunner } from '../runners/read.ts'
import { removeRunner } from '../runners/remove.ts'
import { queueObjective } from '../run-queues/add.ts'
import {
  createRunQueue,
  deleteRunQueue,
  orderRunQueues,
  updateRunQueue,
} from '../run-queues/define.ts'
import { removeRunQueueEntry } from '../run-queues/leave.ts'
import { listRunQueues } from '../run-queues/list.ts'
import { pauseRunQueue, resumeRunQueue } from '../run-queues/pause.ts'
import { orderRunQueueEntries } from '../run-queues/reorder.ts'
import { retryRunQueueEntry } from '../run-queues/retry.ts'
import { startRunQueue } from '../run-queues/planner/start.ts'
import { recordLedgerBatch } from '../sessions/ledger.ts'
import { translateFailures } from './translate-failures.ts'
import { getMissionOverview } from '../overview/read.ts'
import { listSharedState } from '../shared-state/list.ts'
import { setSharedState } from '../shared-state/set.ts'
import type { UseCase } from '../use-case.ts'
import { createUserToken } from '../user-tokens/create.ts'
import {
  listConnectedApplications,
  listUserTokens,
  listWorkspaceTokens,
} from '../user-tokens/list.ts'
import {
  endConnectedApplication,
  revokeCurrentUserToken,
  revokeUserToken,
  revokeWorkspaceToken,
} from '../user-tokens/revoke.ts'
import { listWebhookEvents } from '../webhooks/listening/list-events.ts'
import { checkEndpoint } from '../webhooks/management/check-endpoint.ts'
import { createWebhook } from '../webhooks/management/create.ts'
import { deleteWebhook } from '../webhooks/management/delete.ts'
import { disableWebhook } from '../webhooks/management/disable.ts'
import { enableWebhook } from '../webhooks/management/enable.ts'
import { testWebhook } from '../webhooks/management/ping.ts'
import {
  getWebhook,
  getWebhookDelivery,
  listWebhookDeliveries,
  listWebhooks,
} from '../webhooks/management/read.ts'
import { recoverWebhook } from '../webhooks/management/recover.ts'
import { resendWebhookDelivery } from '../webhooks/management/resend.ts'
import { rotateWebhookSecret } from '../webhooks/management/rotate-secret.ts'
import { updateWebhook } from '../webhooks/management/update.ts'
import { createWorkspace } from '../workspaces/create.ts'
import { deleteWorkspace } from '../workspaces/delete.ts'
import { restoreWorkspace } from '../workspaces/restore.ts'
import { getWorkspace, updateWorkspace } from '../workspaces/settings.ts'

/** A route without its handler, or with one of another shape, does not compile. */
export type RouteHandlers = {
  [N in RouteName]: (
    context: UseCase,
    caller: CallerOf<(typeof restContracts)[N]['permission']>,
    input: RouteInput<N>,
  ) => Promise<RouteOutput<N>>
}

/** Who calls an endpoint of this kind. */
type CallerOf<P extends EndpointContract['permission']> = P extends 'person'
  ? Person
  : P extends 'public'
    ? Visitor
    : Actor

export const routeHandlers: RouteHandlers = translateFailures<RouteHandlers>({
  launchObjective,
  claimExecutionRequest,
  createArtifact: (context, actor, { id, ...artifact }) =>
    addArtifact(context, actor, { missionId: id, artifact }),
  updateArtifact: (context, actor, { id, ...input }) =>
    updateArtifact(context, actor, { ...input, missionId: id }),
  createUserToken,
  getMission,
  getMissionOverview,
  listMissionEvents,
  createMissionEvent,
  listFileChanges,
  listArtifacts,
  getMe,
  listUserTokens,
  revokeUserToken,
  revokeCurrentUserToken,
  createLoginRequest,
  pollLoginRequest,
  listSignIns,
  endSignIn,
  endSignIns,
  changePassword,
  listIdentities,
  unlinkIdentity,
  listMembers,
  getMemberAccess,
  updateMember,
  leaveWorkspace,
  removeMember,
  createResetLink,
  listInvitations,
  createInvitation,
  revokeInvitation,
  createWorkspace,
  getWorkspace,
  updateWorkspace,
  deleteWorkspace,
  restoreWorkspace,
  listWorkspaceTokens,
  revokeWorkspaceToken,
  listConnectedApplications,
  endConnectedApplication,
  createInboxItem,
  listInboxItems,
  getInboxItem,
  turnInboxItem,
  updateInboxItem,
  deleteInboxItem,
  listNotifications,
  readNotifications,
  listProjects,
  createProject,
  resolveProject,
  getProject,
  updateProject,
  getLaunchSettings,
  updateLaunchSettings,
  previewLaunchSettings,
  listProjectStatuses,
  createProjectStatus,
  renameProjectStatus,
  deleteProjectStatus,
  orderProjectStatuses,
  listProjectResources,
  linkProjectResource,
  unlinkProjectResource,
  listMissions,
  createMission,
  updateMission,
  moveMission: changeMissionStatus,
  acceptMission,
  deleteMissions,
  restoreMission,
  listDeletedMissions,
  listDeletedObjectives,
  reorderFutureObjectives,
  addObjectives,
  askForChanges,
  getObjective,
  listObjectives,
  forecastLaunch,
  previewLaunch,
  updateObjective,
  submitObjective,
  sendBackObjective,
  deleteObjectives,
  restoreObjective,
  recordLedgerBatch,
  listDeliveries,
  listBranches,
  listExecutionRequests,
  getExecutionRequest,
  cancelExecutionRequest,
  listQuestions,
  getQuestion,
  answerQuestion,
  cancelObjective,
  resumeObjective,
  getRunLog,
  listRunFiles,
  getRunFile,
  getRunDiff,
  listRunQueues,
  createRunQueue,
  orderRunQueues,
  updateRunQueue,
  deleteRunQueue,
  orderRunQueueEntries,
  startRunQueue,
  pauseRunQueue,
  resumeRunQueue,
  queueObjective,
  removeRunQueueEntry,
  retryRunQueueEntry,
  countWaiting,
  listRunners,
  listAgents,
  getRunner,
  removeRunner,
  heartbeatRunner,
  reportLaunching,
  reserveBranch,
  reportLaunched,
  reportFailed,
  reportReleased,
  reportExited,
  appendRunLog,
  reportCheck,
  reportRunFiles,
  reportRunPatches,
  completeRunFiles,
  replaceRunDiff,
  createWebhook,
  checkEndpoint,
  listWebhooks,
  getWebhook,
  updateWebhook,
  deleteWebhook,
  enableWebhook,
  disableWebhook,
  rotateWebhookSecret,
  testWebhook,
  recoverWebhook,
  listWebhookDeliveries,
  getWebhookDelivery,
  resendWebhookDelivery,
  listWebhookEvents,
  listAudit,
  getUsage,
  listNeeds,
  getBoard,
  listAttachments,
  addAttachment,
  getAttachment,
  deleteAttachment,
  listSharedState,
  setSharedState,
})

import type { RouteInput, RouteName, RouteOutput } from '@svc/contracts/rest'
import type { Actor } from '../actor.ts'
import { getMe } from '../access/get-me.ts'
import { addArtifact } from '../artifacts/add.ts'
import { listArtifacts } from '../artifacts/list.ts'
import { updateArtifact } from '../artifacts/update.ts'
import { listDeliveries } from '../deliveries/list.ts'
import { appendRunLog } from '../execution-requests/append-log.ts'
import { cancelExecutionRequest } from '../execution-requests/cancel.ts'
import { claimExecutionRequest } from '../execution-requests/claim.ts'
import { heartbeatRunner } from '../execution-requests/heartbeat.ts'
import { getRunDiff } from '../execution-requests/read-diff.ts'
import { getRunLog } from '../execution-requests/read-log.ts'
import { getExecutionRequest, listExecutionRequests } from '../execution-requests/read.ts'
import {
  reportExited,
  reportFailed,
  reportLaunched,
  reportLaunching,
  reportReleased,
} from '../execution-requests/report.ts'
import { replaceRunDiff } from '../execution-requests/replace-diff.ts'
import { createMission } from '../missions/create.ts'
import { deleteMissions } from '../missions/delete.ts'
import { listMissionEvents } from '../missions/events.ts'
import { listFileChanges } from '../missions/file-changes.ts'
import { changeMissionStatus } from '../missions/move.ts'
import { getMission, listMissions } from '../missions/read.ts'
import { restoreMission } from '../missions/restore.ts'
import { updateMission } from '../missions/update.ts'
import { addObjectives } from '../objectives/add.ts'
import { cancelObjective } from '../objectives/cancel.ts'
import { deleteObjectives } from '../objectives/delete.ts'
import { launchObjective } from '../objectives/launch.ts'
import { getObjective } from '../objectives/read.ts'
import { reorderFutureObjectives } from '../objectives/reorder.ts'
import { restoreObjective } from '../objectives/restore.ts'
import { sendBackObjective } from '../objectives/send-back.ts'
import { submitObjective } from '../objectives/submit.ts'
import { updateObjective } from '../objectives/update.ts'
import { createProjectStatus } from '../projects/create-status.ts'
import { createProject } from '../projects/create.ts'
import { linkProjectResource } from '../projects/link-resource.ts'
import { listProjectResources } from '../projects/list-resources.ts'
import { orderProjectStatuses } from '../projects/order-statuses.ts'
import { getProject, listProjectStatuses, listProjects } from '../projects/read.ts'
import { renameProjectStatus } from '../projects/rename-status.ts'
import { unlinkProjectResource } from '../projects/unlink-resource.ts'
import { resolveProject } from '../projects/resolve.ts'
import { listRunners } from '../runners/list.ts'
import { recordLedgerBatch } from '../sessions/ledger.ts'
import { translateFailures } from '../commit/transaction.ts'
import type { UseCase } from '../use-case.ts'
import { createUserToken } from '../user-tokens/create.ts'
import { listUserTokens } from '../user-tokens/list.ts'
import { revokeUserToken } from '../user-tokens/revoke.ts'
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

/** A route without its handler, or with one of another shape, does not compile. */
export type RouteHandlers = {
  [N in RouteName]: (
    context: UseCase,
    actor: Actor,
    input: RouteInput<N>,
  ) => Promise<RouteOutput<N>>
}

export const routeHandlers: RouteHandlers = translateFailures<RouteHandlers>({
  launchObjective,
  claimExecutionRequest,
  createArtifact: (context, actor, { id, ...artifact }) =>
    addArtifact(context, actor, { missionId: id, artifact }),
  updateArtifact: (context, actor, { id, ...input }) =>
    updateArtifact(context, actor, { ...input, missionId: id }),
  createUserToken,
  getMission,
  listMissionEvents,
  listFileChanges,
  listArtifacts,
  getMe,
  listUserTokens,
  revokeUserToken,
  listProjects,
  createProject,
  resolveProject,
  getProject,
  listProjectStatuses,
  createProjectStatus,
  renameProjectStatus,
  orderProjectStatuses,
  listProjectResources,
  linkProjectResource,
  unlinkProjectResource,
  listMissions,
  createMission,
  updateMission,
  moveMission: changeMissionStatus,
  deleteMissions,
  restoreMission,
  reorderFutureObjectives,
  addObjectives,
  getObjective,
  updateObjective,
  submitObjective,
  sendBackObjective,
  deleteObjectives,
  restoreObjective,
  recordLedgerBatch,
  listDeliveries,
  listExecutionRequests,
  getExecutionRequest,
  cancelExecutionRequest,
  cancelObjective,
  getRunLog,
  getRunDiff,
  listRunners,
  heartbeatRunner,
  reportLaunching,
  reportLaunched,
  reportFailed,
  reportReleased,
  reportExited,
  appendRunLog,
  replaceRunDiff,
  createWebhook,
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
})

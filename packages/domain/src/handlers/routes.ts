import type { RouteInput, RouteName, RouteOutput } from '@svc/contracts/rest'
import type { Actor } from '../actor.ts'
import { addArtifact } from '../artifacts/add.ts'
import { listArtifacts } from '../artifacts/list.ts'
import { updateArtifact } from '../artifacts/update.ts'
import { listDeliveries } from '../deliveries/list.ts'
import { claimExecutionRequest } from '../execution-requests/claim.ts'
import { getRunDiff, replaceRunDiff } from '../execution-requests/diff.ts'
import { heartbeatRunner } from '../execution-requests/heartbeat.ts'
import { appendRunLog, getRunLog } from '../execution-requests/log.ts'
import { getExecutionRequest, listExecutionRequests } from '../execution-requests/read.ts'
import {
  reportExited,
  reportFailed,
  reportLaunched,
  reportLaunching,
  reportReleased,
} from '../execution-requests/report.ts'
import { createMission } from '../missions/create.ts'
import { listFileChanges } from '../missions/file-changes.ts'
import { getMission, listMissionEvents, listMissions } from '../missions/read.ts'
import { moveMission, updateMission } from '../missions/update.ts'
import { addObjectives } from '../objectives/add.ts'
import {
  getObjective,
  sendBackObjective,
  submitObjective,
  updateObjective,
} from '../objectives/edit.ts'
import { launchObjective } from '../objectives/launch.ts'
import { createProject } from '../projects/create.ts'
import { getProject, listProjectStatuses, listProjects } from '../projects/read.ts'
import { linkProjectResource, listProjectResources } from '../projects/resources.ts'
import { unlinkProjectResource } from '../projects/unlink-resource.ts'
import { resolveProject } from '../projects/resolve.ts'
import { createProjectStatus, orderProjectStatuses } from '../projects/statuses.ts'
import { listRunners } from '../runners/list.ts'
import { recordLedgerBatch } from '../sessions/ledger.ts'
import { translateFailures } from '../commit/transaction.ts'
import type { UseCase } from '../use-case.ts'
import { createUserToken } from '../user-tokens/create.ts'
import { getMe, listUserTokens, revokeUserToken } from '../user-tokens/list.ts'
import {
  deleteWebhook,
  disableWebhook,
  enableWebhook,
  rotateWebhookSecret,
  updateWebhook,
} from '../webhooks/management/change.ts'
import { createWebhook } from '../webhooks/management/create.ts'
import { testWebhook } from '../webhooks/management/ping.ts'
import {
  getWebhook,
  getWebhookDelivery,
  listWebhookDeliveries,
  listWebhooks,
} from '../webhooks/management/read.ts'

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
  orderProjectStatuses,
  listProjectResources,
  linkProjectResource,
  unlinkProjectResource,
  listMissions,
  createMission,
  updateMission,
  moveMission,
  addObjectives,
  getObjective,
  updateObjective,
  submitObjective,
  sendBackObjective,
  recordLedgerBatch,
  listDeliveries,
  listExecutionRequests,
  getExecutionRequest,
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
  listWebhookDeliveries,
  getWebhookDelivery,
})

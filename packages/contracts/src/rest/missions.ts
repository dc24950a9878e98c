import { z } from 'zod'
import { AdvisedStep } from '../advised-step.ts'
import { Artifact } from '../artifact.ts'
import { MissionBranch } from '../assigned-branches.ts'
import { FileChange } from '../change-rationale.ts'
import { Delivery } from '../delivery.ts'
import { ExtensionEventType } from '../events.ts'
import { ExecutionRequest } from '../execution-request.ts'
import { freeJson, freeText } from '../free-text.ts'
import {
  BranchName,
  MissionRef,
  ObjectiveRef,
  ProjectRef,
  Revision,
  Timestamp,
  Uuid,
} from '../ids.ts'
import { limits } from '../limits.ts'
import { BudgetWarning, Mission, MissionEvent, MissionEventType, MissionMatch } from '../mission.ts'
import { ListedObjective, ObjectiveInput, Title } from '../objective.ts'
import { NextCursor, PageQuery } from '../page.ts'
import { Question } from '../question.ts'
import { WholeQueue } from '../run-queue.ts'
import { Priority, StatusType } from '../states.ts'
import { BudgetChange, BudgetStanding } from '../usage.ts'
import type { EndpointContract } from './endpoint.ts'
import {
  IdList,
  InstructionCharacters,
  Moment,
  SearchText,
  StatusTypeList,
  confirm,
  deletedAnswer,
  manyOf,
  missionAnswer,
  missionParams,
  pageQuery,
  running,
} from './parts.ts'

/** Comma-separated in an address: built-in ones, and those that extensions made. */
const EventTypeList = z
  .string()
  .transform((given) => given.split(','))
  .pipe(
    z
      .array(
        z.union(
          [MissionEventType, ExtensionEventType],
          'name types of events, such as delivery or ci:passed, with commas between them',
        ),
      )
      .max(limits.eventTypesAtOnce),
  )
  .describe('types with commas between them, such as delivery,ci:passed')

/** What was deleted, newest first by id, and how long it can be restored. */
const deletedPage = z.strictObject({
  deleted: z.array(
    z.strictObject({
      id: Uuid,
      displayId: z.string(),
      title: z.string(),
      deletedAt: Timestamp,
      restorableUntil: Timestamp,
    }),
  ),
  nextCursor: NextCursor,
})

export const missionsEndpoints = {
  listMissions: {
    method: 'GET',
    path: '/api/missions',
    permission: 'mission:read',
    query: z.strictObject({
      ...PageQuery,
      projectId: ProjectRef.optional(),
      /** Each word is found in the title, or in the title or the instruction of an objective, where one begins so. */
      query: SearchText.optional(),
      statusTypes: StatusTypeList.optional(),
      /** One column of a project's board. */
      statusId: Uuid.optional(),
      priority: Priority.optional(),
      /** With where the words of `query` stand in each. */
      matches: z.literal('true').optional(),
      ids: IdList.optional(),
      updatedSince: Moment.optional(),
      updatedBefore: Moment.optional(),
      budget: BudgetStanding.optional(),
    }),
    answer: z.strictObject({
      missions: z.array(Mission),
      matches: z.array(MissionMatch).optional(),
      nextCursor: NextCursor,
    }),
    status: 200,
  },
  createMission: {
    method: 'POST',
    path: '/api/missions',
    permission: 'mission:create',
    body: z.strictObject({
      projectId: ProjectRef,
      title: Title,
      priority: Priority.default('normal'),
      auto_advance: z.boolean().default(false),
      allowParallelObjectives: z.boolean().default(false),
      /** null: as its project says. */
      useWorktrees: z.boolean().nullable().default(null),
      objectives: z.array(ObjectiveInput).max(50).default([]),
    }),
    answer: missionAnswer,
    status: 201,
    repeat: 'keyed',
  },
  /** With its objectives in order, and their instructions whole unless a length is given. */
  getMission: {
    method: 'GET',
    path: '/api/missions/:id',
    permission: 'mission:read',
    params: missionParams,
    query: z.strictObject({ instructionCharacters: InstructionCharacters.optional() }),
    answer: z.strictObject({ mission: Mission, objectives: z.array(ListedObjective) }),
    status: 200,
  },
  /**
   * All that a person wants to know of a mission, newest first, and what to do now: the newest 50 runs and the last one of
   * each objective, the newest 50 questions and deliveries, the newest 200 artifacts, 200 branches, and the run queues that
   * hold an objective of it, with these entries alone. What whoever asks may not read is left out, and so is a step that
   * they may not take.
   */
  getMissionOverview: {
    method: 'GET',
    path: '/api/missions/:id/overview',
    permission: 'mission:read',
    params: missionParams,
    query: z.strictObject({ instructionCharacters: InstructionCharacters.optional() }),
    answer: z.strictObject({
      mission: Mission,
      objectives: z.array(ListedObjective),
      executionRequests: z.array(ExecutionRequest),
      questions: z.array(Question),
      queues: z.array(WholeQueue),
      deliveries: z.array(Delivery),
      artifacts: z.array(Artifact),
      /** As runs recorded them. */
      branches: z.array(MissionBranch),
      /** Who attached last to each objective that is worked on, launched or not. */
      workers: z.array(
        z.strictObject({
          objectiveId: Uuid,
          agent: z.string(),
          executionRequestId: z.string().nullable(),
        }),
      ),
      /** Who called off which run and why, by its id, as far as the newest 200 events show. */
      calledOff: z.record(z.string(), z.string()),
      /** Why no runner takes which run that is queued, or that nothing is heard of the runner that has it, by its id. */
      untaken: z.record(z.string(), z.string()),
      /** What connected runners offer. */
      agents: z.array(z.string()).optional(),
      nextSteps: z.array(AdvisedStep),
    }),
    status: 200,
  },
  updateMission: {
    method: 'PATCH',
    path: '/api/missions/:id',
    permission: 'mission:update',
    params: missionParams,
    body: z.strictObject({
      title: Title.optional(),
      priority: Priority.optional(),
      auto_advance: z.boolean().optional(),
      allowParallelObjectives: z.boolean().optional(),
      useWorktrees: z.boolean().nullable().optional(),
      /** Bounds that are left out stay, and null removes one. Only people may set it, with no token of a run or runner. */
      budget: BudgetChange.optional(),
      expectedRevision: Revision.optional(),
    }),
    answer: z.strictObject({
      mission: Mission,
      /** What the budget that was set means for launches and for what runs. */
      warnings: z.array(BudgetWarning).default([]),
    }),
    status: 200,
    repeat: 'keyed',
  },
  moveMission: {
    method: 'POST',
    path: '/api/missions/:id/status',
    permission: 'mission:update',
    params: missionParams,
    body: z.strictObject({
      /** A status of the project, or a type, which means the first status of that type. */
      statusId: z.union([Uuid, StatusType]),
      /** Where the status closes the mission: what is queued in it is cancelled, and what runs is told to end. */
      cancelRunning: z.boolean().optional(),
      expectedRevision: Revision.optional(),
    }),
    answer: z.strictObject({ mission: Mission }),
    status: 200,
    repeat: 'keyed',
  },
  /** Closes a mission that is in review, as its project says that. It merges nothing: branches stay as they are. */
  acceptMission: {
    method: 'POST',
    path: '/api/missions/:id/accept',
    permission: 'mission:update',
    params: missionParams,
    body: z.strictObject({
      expectedDeliveryId: Uuid.nullable().optional().describe('the newest one that was seen'),
    }),
    answer: z.strictObject({
      mission: Mission,
      /** There was nothing left to do. */
      alreadyClosed: z.boolean(),
    }),
    status: 200,
    repeat: 'keyed',
  },
  /** With their objectives and runs. A run that the confirmed list does not name refuses all, with the new list. */
  deleteMissions: {
    method: 'POST',
    path: '/api/missions/delete',
    permission: 'mission:delete',
    body: z.strictObject({ missionIds: manyOf(MissionRef), confirm, running }),
    answer: deletedAnswer,
    status: 200,
    repeat: 'keyed',
  },
  /** With the objectives that went with it. */
  restoreMission: {
    method: 'POST',
    path: '/api/missions/:id/restore',
    permission: 'mission:delete',
    params: missionParams,
    answer: missionAnswer,
    status: 200,
    repeat: 'natural',
  },
  /** Those that can be restored. */
  listDeletedMissions: {
    method: 'GET',
    path: '/api/deleted-missions',
    permission: 'mission:read',
    query: z.strictObject({ ...PageQuery, projectId: ProjectRef.optional() }),
    answer: deletedPage,
    status: 200,
  },
  /** Those that can be restored by themselves; with a mission all of its objectives are. */
  listDeletedObjectives: {
    method: 'GET',
    path: '/api/missions/:id/deleted-objectives',
    permission: 'mission:read',
    params: missionParams,
    query: pageQuery,
    answer: deletedPage,
    status: 200,
  },
  /**
   * The whole order of what has not started. `expectedRevision` is the mission's, which every new order raises: a repeated call
   * without its key would meet its own.
   */
  reorderFutureObjectives: {
    method: 'PUT',
    path: '/api/missions/:id/future-objectives',
    permission: 'objective:update',
    params: missionParams,
    body: z.strictObject({
      objectiveIds: z.array(ObjectiveRef).min(1).max(limits.objectivesPerMission),
      expectedRevision: Revision.optional(),
    }),
    answer: missionAnswer,
    status: 200,
    repeat: 'keyed',
  },
  /**
   * Those of some types or of one objective are looked for among a bounded number a page, so that a page may hold fewer
   * than `limit`, or none, and still have a `nextCursor`.
   */
  listMissionEvents: {
    method: 'GET',
    path: '/api/missions/:id/events',
    permission: 'mission:read',
    params: missionParams,
    query: z.strictObject({
      ...PageQuery,
      types: EventTypeList.optional(),
      objectiveId: ObjectiveRef.optional(),
    }),
    answer: z.strictObject({ events: z.array(MissionEvent), nextCursor: NextCursor }),
    status: 200,
  },
  /** Goes to the subscribers of its type like any other event. Decision 37. */
  createMissionEvent: {
    method: 'POST',
    path: '/api/missions/:id/events',
    permission: 'mission:update',
    params: missionParams,
    body: z.strictObject({
      type: ExtensionEventType,
      summary: freeText().trim().min(1).max(limits.updateCharacters),
      data: freeJson(z.record(z.string(), z.json()), limits.eventDataBytes).default({}),
    }),
    answer: z.strictObject({ event: MissionEvent }),
    status: 201,
    repeat: 'keyed',
  },
  /** With `besides=report` without those that the report of the newest run has, which `listRunFiles` lists. */
  listFileChanges: {
    method: 'GET',
    path: '/api/missions/:id/file-changes',
    permission: 'mission:read',
    params: missionParams,
    query: z.strictObject({
      ...PageQuery,
      objectiveId: ObjectiveRef.optional(),
      besides: z.enum(['report']).optional(),
    }),
    answer: z.strictObject({ fileChanges: z.array(FileChange), nextCursor: NextCursor }),
    status: 200,
  },
  listDeliveries: {
    method: 'GET',
    path: '/api/missions/:id/deliveries',
    permission: 'mission:read',
    params: missionParams,
    query: pageQuery,
    answer: z.strictObject({ deliveries: z.array(Delivery), nextCursor: NextCursor }),
    status: 200,
  },
  /** Those that runs have recorded, one for each mission, or objective with its own, and resource. */
  listBranches: {
    method: 'GET',
    path: '/api/branches',
    permission: 'mission:read',
    query: z.strictObject({
      ...PageQuery,
      missionId: MissionRef.optional(),
      branch: BranchName.optional(),
    }),
    answer: z.strictObject({ branches: z.array(MissionBranch), nextCursor: NextCursor }),
    status: 200,
  },
} as const satisfies Record<string, EndpointContract>

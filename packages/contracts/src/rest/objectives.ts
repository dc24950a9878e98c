import { z } from 'zod'
import { ExecutionRequest, LaunchWarning } from '../execution-request.ts'
import {
  AgentKey,
  Effort,
  MissionRef,
  ModelName,
  ObjectiveRef,
  ResourceKey,
  Revision,
} from '../ids.ts'
import { freeText } from '../free-text.ts'
import { limits } from '../limits.ts'
import { NextCursor, PageQuery } from '../page.ts'
import { Instruction, ListedObjective, Objective, ObjectiveInput, Title } from '../objective.ts'
import { ChosenCheck } from '../check.ts'
import { Candidate, ForecastSettings, ForecastRefusal } from '../launch-forecast.ts'
import { Assignment } from '../assignment.ts'
import { LedgerAnswer, LedgerBody } from '../protocol.ts'
import { bySession } from '../counting.ts'
import type { EndpointContract } from './endpoint.ts'
import {
  IdList,
  InstructionCharacters,
  cancelBody,
  cancelled,
  confirm,
  deletedAnswer,
  deviceHeaders,
  manyOf,
  missionAnswer,
  missionParams,
  objectiveParams,
  running,
} from './parts.ts'

const RunnerName = freeText().min(1).max(200)
const objectiveAnswer = z.strictObject({ objective: Objective })

const launched = {
  answer: z.strictObject({
    executionRequest: ExecutionRequest,
    objective: Objective,
    reused: z.boolean(),
    warnings: z.array(LaunchWarning),
  }),
  status: 201,
  repeat: 'keyed',
  reusedStatus: 200,
} as const

export const objectivesEndpoints = {
  addObjectives: {
    method: 'POST',
    path: '/api/missions/:id/objectives',
    permission: 'objective:create',
    params: missionParams,
    body: z.strictObject({ objectives: z.array(ObjectiveInput).min(1).max(50) }),
    answer: missionAnswer,
    status: 201,
    repeat: 'keyed',
  },
  /**
   * What is to be different, as the next objective of the mission, with the agent, model, effort and resource of its last
   * run. The blank one that an attach leaves behind is filled in.
   */
  askForChanges: {
    method: 'POST',
    path: '/api/missions/:id/changes',
    permission: 'objective:create',
    params: missionParams,
    body: z.strictObject({
      instruction: Instruction.refine((text) => text.trim() !== '', {
        message: 'say what is to be different',
      }),
      resource_key: ResourceKey.optional(),
    }),
    answer: objectiveAnswer,
    status: 201,
    repeat: 'keyed',
  },
  /** By their ids, newest first, each with the beginning of its instruction; `getObjective` has all of that. */
  listObjectives: {
    method: 'GET',
    path: '/api/objectives',
    permission: 'mission:read',
    query: z.strictObject({
      ...PageQuery,
      ids: IdList,
      instructionCharacters: InstructionCharacters.default(limits.listedInstructionCharacters),
    }),
    answer: z.strictObject({ objectives: z.array(ListedObjective), nextCursor: NextCursor }),
    status: 200,
  },
  getObjective: {
    method: 'GET',
    path: '/api/objectives/:id',
    permission: 'mission:read',
    params: objectiveParams,
    answer: objectiveAnswer,
    status: 200,
  },
  updateObjective: {
    method: 'PATCH',
    path: '/api/objectives/:id',
    permission: 'objective:update',
    params: objectiveParams,
    body: z.strictObject({
      title: Title.optional(),
      instruction: Instruction.optional(),
      assigned_agent: AgentKey.nullable().optional(),
      model: ModelName.nullable().optional(),
      reasoning_effort: Effort.nullable().optional(),
      resource_key: ResourceKey.nullable().optional(),
      /** A person's to say; null: all of the project's. */
      check: ChosenCheck.nullable().optional(),
      /** Its mission's; needs `mission:update` too. */
      auto_advance: z.boolean().optional(),
      expectedRevision: Revision.optional(),
    }),
    answer: z.strictObject({ objective: Objective, auto_advance: z.boolean() }),
    status: 200,
    repeat: 'keyed',
  },
  submitObjective: {
    method: 'POST',
    path: '/api/objectives/:id/submit',
    permission: 'objective:update',
    params: objectiveParams,
    answer: objectiveAnswer,
    status: 200,
    repeat: 'keyed',
  },
  sendBackObjective: {
    method: 'POST',
    path: '/api/objectives/:id/send-back',
    permission: 'objective:update',
    params: objectiveParams,
    answer: objectiveAnswer,
    status: 200,
    repeat: 'keyed',
  },
  /**
   * Cancels its live run, or the work of an agent that attached by itself and so has no request. It names no run: a repeated
   * call without its key would cancel what was launched since.
   */
  cancelObjective: {
    method: 'POST',
    path: '/api/objectives/:id/cancel',
    permission: 'execution_request:create',
    params: objectiveParams,
    body: cancelBody,
    answer: z.strictObject({
      executionRequest: ExecutionRequest.nullable(),
      ...cancelled,
    }),
    status: 200,
    repeat: 'keyed',
  },
  /**
   * With their runs. A mission that is named is the one of them all. A run that the confirmed list does not name refuses
   * all, with the new list.
   */
  deleteObjectives: {
    method: 'POST',
    path: '/api/objectives/delete',
    permission: 'objective:delete',
    body: z.strictObject({
      objectiveIds: manyOf(ObjectiveRef),
      missionId: MissionRef.optional(),
      confirm,
      running,
    }),
    answer: deletedAnswer,
    status: 200,
    repeat: 'keyed',
  },
  /** At the end of those that have, or have not, started. */
  restoreObjective: {
    method: 'POST',
    path: '/api/objectives/:id/restore',
    permission: 'objective:delete',
    params: objectiveParams,
    answer: objectiveAnswer,
    status: 200,
    repeat: 'natural',
  },
  /** What a claim of that launch would be answered now, of no request: nothing is queued. */
  previewLaunch: {
    method: 'GET',
    path: '/api/objectives/:id/launch-preview',
    permission: 'execution_request:claim',
    params: objectiveParams,
    query: z.strictObject({
      agent: AgentKey,
      model: ModelName.optional(),
      reasoningEffort: Effort.optional(),
      resourceKey: ResourceKey.optional(),
      fromBase: z.literal('true').optional(),
    }),
    headers: deviceHeaders,
    answer: z.strictObject({ assignment: Assignment }),
    status: 200,
  },
  /**
   * What a launch with this choice would be made with, why it would be refused now, and which runners could take it. Nothing
   * is queued. Whether a machine trusts the settings of its project is known there alone.
   */
  forecastLaunch: {
    method: 'GET',
    path: '/api/objectives/:id/launch-forecast',
    permission: 'execution_request:create',
    params: objectiveParams,
    query: z.strictObject({
      /** That of the objective when left out. */
      agent: AgentKey.optional(),
      model: ModelName.optional(),
      reasoningEffort: Effort.optional(),
      resourceKey: ResourceKey.optional(),
      fromBase: z.literal('true').optional(),
      runner: RunnerName.optional(),
    }),
    answer: z.strictObject({
      settings: ForecastSettings,
      /** A runner refuses it until its machine trusts what the project adds to it. */
      needsTrust: z.boolean(),
      /** Null where it would be launched. */
      refusal: ForecastRefusal.nullable(),
      /** Those that could take it first, then by when they were last heard of; null for who may not list runners. */
      candidates: z.array(Candidate).nullable(),
    }),
    status: 200,
  },
  launchObjective: {
    method: 'POST',
    path: '/api/objectives/:id/launch',
    permission: 'execution_request:create',
    params: objectiveParams,
    body: z.strictObject({
      agent: AgentKey.describe('key of the agent to start, such as claude or codex'),
      model: ModelName.optional(),
      reasoningEffort: Effort.optional(),
      resourceKey: ResourceKey.optional(),
      /** The mission's work so far in this resource stays aside: its branch is cut anew. */
      fromBase: z.boolean().optional(),
      /** Its name: no other takes the run. */
      runner: RunnerName.optional(),
    }),
    ...launched,
  },
  /** With the last run, where that was lost or ended without a delivery: on its machine and in its checkout. */
  resumeObjective: {
    method: 'POST',
    path: '/api/objectives/:id/resume',
    permission: 'execution_request:create',
    params: objectiveParams,
    ...launched,
  },
  recordLedgerBatch: {
    method: 'POST',
    path: '/api/objectives/:id/ledger',
    permission: 'session:update',
    params: objectiveParams,
    body: LedgerBody,
    answer: LedgerAnswer,
    status: 200,
    repeat: 'natural',
    counts: bySession,
  },
} as const satisfies Record<string, EndpointContract>

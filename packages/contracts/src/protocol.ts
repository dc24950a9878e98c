import { z } from 'zod'
import { SessionKey, sessionReply } from './agent-session.ts'
import { Artifact, ArtifactInput, artifactContent } from './artifact.ts'
import { ChangeRationales } from './change-rationale.ts'
import { AttachAnswer, MissionContext } from './context.ts'
import { AgentReport, DeliveryArtifacts, Summary } from './delivery.ts'
import { ExecutionRequest } from './execution-request.ts'
import {
  ModelName,
  Revision,
  Uuid,
  missionScope,
  namesItsMission,
  namesItsMissionMessage,
} from './ids.ts'
import { limits } from './limits.ts'
import { Mission } from './mission.ts'
import { Objective } from './objective.ts'
import type { Permission } from './permissions.ts'

export interface ProtocolContract {
  readonly permission: Permission
  readonly input: z.ZodType<Record<string, unknown>>
  readonly output: z.ZodType
  /** Bytes of JSON; `limits.jsonBodyBytes` when left out. */
  readonly bodyBytes?: number
}

const sessionScope = { ...missionScope, sessionKey: SessionKey.optional() }
const namesMission = [namesItsMission, { message: namesItsMissionMessage }] as const

export const AttachInput = z.strictObject({
  agentIdentifier: z.string().trim().min(1).max(80),
  modelIdentifier: ModelName.optional(),
  ...missionScope,
  executionRequestId: Uuid.optional(),
  generation: z.int().min(1).optional(),
  externalSessionId: z.string().max(200).optional(),
  takeOver: z.boolean().optional(),
})
export type AttachInput = z.infer<typeof AttachInput>

const LoadContextInput = z.strictObject(missionScope).refine(...namesMission)

const UpdateInput = z
  .strictObject({
    ...sessionScope,
    text: z.string().trim().min(1).max(limits.updateCharacters).optional(),
    changeRationales: ChangeRationales.optional(),
  })
  .refine(...namesMission)

const HeartbeatInput = z.strictObject({
  sessionKey: SessionKey,
  percent: z.number().min(0).max(100).optional(),
  note: z.string().max(300).optional(),
})

export const DeliverInput = z
  .strictObject({
    ...sessionScope,
    summary: Summary,
    report: AgentReport.optional(),
    artifacts: DeliveryArtifacts.optional(),
    changeRationales: ChangeRationales.optional(),
  })
  .refine(...namesMission)
export type DeliverInput = z.infer<typeof DeliverInput>

export const DeliverAnswer = z.strictObject({
  deliveryId: Uuid,
  objective: Objective,
  mission: Mission,
  next: z
    .strictObject({
      objectiveId: Uuid,
      state: z.string(),
      executionRequest: ExecutionRequest.optional(),
    })
    .nullable(),
  warnings: z.array(z.string()),
  ...sessionReply,
})
export type DeliverAnswer = z.infer<typeof DeliverAnswer>

const AddArtifactInput = ArtifactInput.safeExtend(sessionScope).refine(...namesMission)

const UpdateArtifactInput = z
  .strictObject({
    artifactId: Uuid,
    expectedRevision: Revision,
    ...artifactContent,
    label: artifactContent.label.optional(),
    ...sessionScope,
  })
  .refine(...namesMission)
  .refine(
    (input) =>
      input.label !== undefined ||
      input.contentText !== undefined ||
      input.externalUrl !== undefined,
    { message: 'give at least one of label, contentText and externalUrl' },
  )

const ArtifactAnswer = z.strictObject({ artifact: Artifact })

const Warnings = z.array(z.string())

// spec: Agent protocol operations
export const protocolContracts = {
  attach: {
    permission: 'session:attach',
    input: AttachInput,
    output: AttachAnswer,
  },
  update: {
    permission: 'session:update',
    input: UpdateInput,
    output: z.strictObject({ eventId: Uuid.nullable(), warnings: Warnings, ...sessionReply }),
    bodyBytes: limits.largeJsonBodyBytes,
  },
  heartbeat: {
    permission: 'session:update',
    input: HeartbeatInput,
    output: z.strictObject({ lastHeardAt: z.string(), ...sessionReply }),
  },
  deliver: {
    permission: 'session:deliver',
    input: DeliverInput,
    output: DeliverAnswer,
    bodyBytes: limits.largeJsonBodyBytes,
  },
  'add-artifact': {
    permission: 'artifact:create',
    input: AddArtifactInput,
    output: ArtifactAnswer,
    bodyBytes: limits.largeJsonBodyBytes,
  },
  'update-artifact': {
    permission: 'artifact:update',
    input: UpdateArtifactInput,
    output: ArtifactAnswer,
    bodyBytes: limits.largeJsonBodyBytes,
  },
  'load-context': {
    permission: 'mission:read',
    input: LoadContextInput,
    output: MissionContext,
  },
} as const satisfies Record<string, ProtocolContract>

export type ProtocolOperation = keyof typeof protocolContracts
export type ProtocolInput<N extends ProtocolOperation> = z.infer<
  (typeof protocolContracts)[N]['input']
>
/** What an agent sends: defaults may be left out. */
export type ProtocolRequest<N extends ProtocolOperation> = z.input<
  (typeof protocolContracts)[N]['input']
>
export type ProtocolOutput<N extends ProtocolOperation> = z.infer<
  (typeof protocolContracts)[N]['output']
>

export const LedgerBody = z.strictObject({
  sessionKey: SessionKey,
  batchId: Uuid,
  seq: z.int().nonnegative(),
  items: z.array(z.unknown()).max(limits.ledgerItemsPerBatch),
})
export const LedgerAnswer = z.strictObject({
  items: z.array(
    z.strictObject({
      result: z.enum(['accepted', 'ignored', 'warning']),
      message: z.string().optional(),
    }),
  ),
  ...sessionReply,
})

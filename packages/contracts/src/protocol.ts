import { z } from 'zod'
import { agentExamples } from './agent-examples.ts'
import { freeText } from './free-text.ts'
import { SessionKey, sessionReply } from './agent-session.ts'
import { Artifact, ArtifactInput, artifactContent, changesArtifact } from './artifact.ts'
import { ChangeRationales } from './change-rationale.ts'
import { AttachAnswer, MissionContext } from './context.ts'
import { type Counting, bySession } from './counting.ts'
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
import type { EndpointContract, Repeat } from './rest/endpoint.ts'
import { deviceHeaders } from './rest/parts.ts'

/** What an operation and the tool that does the same have alike. */
export interface AgentCall {
  readonly permission: Permission
  readonly input: z.ZodObject
  readonly output: z.ZodObject
  /** Bytes of JSON; `limits.jsonBodyBytes` when left out. */
  readonly bodyBytes?: number
  /** Whose calls it counts among; those of its token when left out. */
  readonly counts?: Counting
  /** Of its input: advice that is judged item by item behind the contract, so no shape of it refuses the call. */
  readonly advice?: 'changeRationales'
  /** On a machine with a checkout, the files that changed are told before it. */
  readonly reportsChanges?: true
}

export interface ProtocolContract extends AgentCall {
  readonly repeat: Repeat
  /**
   * What cannot be sent is kept on the machine and sent later, because nothing in its answer is needed to go on; `once`:
   * the same input is not kept again.
   */
  readonly spoolable?: 'each' | 'once'
}

const sessionScope = { ...missionScope, sessionKey: SessionKey.optional() }
const namesMission = [namesItsMission, { message: namesItsMissionMessage }] as const

export const AttachInput = z.strictObject({
  agentIdentifier: freeText().trim().min(1).max(80).describe('which agent you are'),
  modelIdentifier: ModelName.optional(),
  ...missionScope,
  executionRequestId: Uuid.describe('UUID of the run that started you').optional(),
  generation: z.int().min(1).optional(),
  externalSessionId: z.string().max(200).optional(),
  takeOver: z.boolean().describe('end the session that another agent holds').optional(),
})
export type AttachInput = z.infer<typeof AttachInput>

const LoadContextInput = z.strictObject(missionScope).refine(...namesMission)

const UpdateInput = z
  .strictObject({
    ...sessionScope,
    text: freeText().trim().min(1).max(limits.updateCharacters).optional(),
    changeRationales: ChangeRationales.optional(),
  })
  .refine(...namesMission)

const HeartbeatInput = z.strictObject({
  sessionKey: SessionKey,
  percent: z.number().min(0).max(100).optional(),
  note: freeText().max(300).optional(),
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
    artifactId: Uuid.describe('UUID'),
    expectedRevision: Revision,
    ...artifactContent,
    label: artifactContent.label.optional(),
    ...sessionScope,
  })
  .refine(...namesMission)
  .refine(...changesArtifact)

const ArtifactAnswer = z.strictObject({ artifact: Artifact })

const Warnings = z.array(z.string())

// spec: Agent protocol operations
export const protocolContracts = {
  attach: {
    permission: 'session:attach',
    input: AttachInput,
    output: AttachAnswer,
    repeat: 'keyed',
  },
  update: {
    permission: 'session:update',
    input: UpdateInput,
    output: z.strictObject({ eventId: Uuid.nullable(), warnings: Warnings, ...sessionReply }),
    bodyBytes: limits.largeJsonBodyBytes,
    repeat: 'keyed',
    counts: bySession,
    advice: 'changeRationales',
    reportsChanges: true,
    spoolable: 'each',
  },
  heartbeat: {
    permission: 'session:update',
    input: HeartbeatInput,
    output: z.strictObject({ lastHeardAt: z.string(), ...sessionReply }),
    repeat: 'natural',
    counts: bySession,
  },
  deliver: {
    permission: 'session:deliver',
    input: DeliverInput,
    output: DeliverAnswer,
    bodyBytes: limits.largeJsonBodyBytes,
    repeat: 'keyed',
    counts: bySession,
    advice: 'changeRationales',
    reportsChanges: true,
    spoolable: 'once',
  },
  'add-artifact': {
    permission: 'artifact:create',
    input: AddArtifactInput,
    output: ArtifactAnswer,
    bodyBytes: limits.largeJsonBodyBytes,
    repeat: 'keyed',
    counts: bySession,
    spoolable: 'each',
  },
  'update-artifact': {
    permission: 'artifact:update',
    input: UpdateArtifactInput,
    output: ArtifactAnswer,
    bodyBytes: limits.largeJsonBodyBytes,
    repeat: 'keyed',
    counts: bySession,
  },
  'load-context': {
    permission: 'mission:read',
    input: LoadContextInput,
    output: MissionContext,
    repeat: 'natural',
  },
} as const satisfies Record<string, ProtocolContract>

export type ProtocolOperation = keyof typeof protocolContracts
export type SpoolableOperation = {
  [N in ProtocolOperation]: (typeof protocolContracts)[N] extends { spoolable: string } ? N : never
}[ProtocolOperation]

// The keys of an object literal are its key type; Object.keys only says string.
export const protocolOperations = Object.keys(protocolContracts) as ProtocolOperation[]

export function protocolContract(operation: ProtocolOperation): ProtocolContract {
  return protocolContracts[operation]
}

export const spoolableOperations = protocolOperations.filter(isSpoolable)

export function isSpoolable(operation: ProtocolOperation): operation is SpoolableOperation {
  return protocolContract(operation).spoolable !== undefined
}

/** `POST /api/protocol/<operation>` */
export function protocolEndpoint(operation: ProtocolOperation): EndpointContract {
  const contract = protocolContract(operation)
  const endpoint = endpointOf(`/api/protocol/${operation}`, contract, contract.repeat)
  return { ...endpoint, headers: deviceHeaders }
}

export function endpointOf(path: string, call: AgentCall, repeat: Repeat): EndpointContract {
  const { permission, input, output, bodyBytes, counts, advice } = call
  return {
    method: 'POST',
    path,
    permission,
    body: input,
    ...(bodyBytes !== undefined && { bodyBytes }),
    answer: output,
    status: 200,
    repeat,
    ...(counts && { counts }),
    ...(advice && { advice }),
  }
}
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
  /**
   * Which of how many batches, numbered in a row, that tell together all that is changed now: what a whole set leaves
   * out is changed no more. Without it the items add to what was told before.
   */
  part: z.strictObject({ number: z.int().min(1), of: z.int().min(1) }).optional(),
  items: z
    .array(z.unknown())
    .max(limits.ledgerItemsPerBatch)
    .meta({ description: 'items {filePath, vcsStatus}', examples: [agentExamples.ledgerItems] }),
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

import { z } from 'zod'
import { agentExamples } from './agent-examples.ts'
import { SessionKey, sessionReply } from './agent-session.ts'
import { Artifact } from './artifact.ts'
import { AttachAnswer, MissionContext } from './context.ts'
import { type Counting, bySession } from './counting.ts'
import { ExecutionRequest } from './execution-request.ts'
import { Uuid } from './ids.ts'
import { limits } from './limits.ts'
import { Mission } from './mission.ts'
import { Objective } from './objective.ts'
import type { Permission } from './permissions.ts'
import { QuestionAnswer } from './question.ts'
import {
  AddArtifactInput,
  AskInput,
  AttachInput,
  DeliverInput,
  HeartbeatInput,
  LoadContextInput,
  RecordWorkInput,
  UpdateArtifactInput,
  UpdateInput,
} from './protocol-inputs.ts'
import type { EndpointContract, Repeat } from './rest/endpoint.ts'
import { deviceHeaders } from './rest/parts.ts'
import { QuestionStatus } from './states.ts'

/** What an operation and the tool that does the same have alike. */
export interface AgentCall {
  readonly permission: Permission
  readonly input: z.ZodObject
  readonly output: z.ZodObject
  /** Bytes of JSON; `limits.jsonBodyBytes` when left out. */
  readonly bodyBytes?: number
  /** Whose calls it counts among; those of its token when left out. */
  readonly counts?: Counting
  /** Fields of the input that the use case judges item by item, so no shape of them refuses the call. */
  readonly advice?: readonly ('changeRationales' | 'report')[]
  /** The answer may take seconds. */
  readonly slow?: true
  /** On a machine with a checkout, the files that changed are reported before it. */
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

/** With the reply where a session is named. */
const ArtifactAnswer = z.strictObject({
  artifact: Artifact,
  ...z.object(sessionReply).partial().shape,
})

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
    output: z.strictObject({
      eventId: Uuid.nullable(),
      questionId: Uuid.optional(),
      warnings: Warnings,
      ...sessionReply,
    }),
    bodyBytes: limits.largeJsonBodyBytes,
    repeat: 'keyed',
    counts: bySession,
    advice: ['changeRationales'],
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
  ask: {
    permission: 'session:update',
    input: AskInput,
    output: z.strictObject({
      questionId: Uuid,
      status: QuestionStatus,
      answer: QuestionAnswer.optional(),
      ...sessionReply,
    }),
    repeat: 'keyed',
    counts: bySession,
    slow: true,
  },
  deliver: {
    permission: 'session:deliver',
    input: DeliverInput,
    output: DeliverAnswer,
    bodyBytes: limits.largeJsonBodyBytes,
    repeat: 'keyed',
    counts: bySession,
    advice: ['report', 'changeRationales'],
    reportsChanges: true,
    spoolable: 'once',
  },
  'record-work': {
    permission: 'session:deliver',
    input: RecordWorkInput,
    output: DeliverAnswer,
    bodyBytes: limits.largeJsonBodyBytes,
    repeat: 'keyed',
    counts: bySession,
    advice: ['report', 'changeRationales'],
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
  const { permission, input, output, bodyBytes, counts, advice, slow } = call
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
    ...(slow && { slow }),
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
  seq: z.int32().nonnegative(),
  /**
   * Given where several batches together list all files that are changed now: this is batch `number` of `of`. Once all have
   * come, files that none of them lists count as unchanged again. Left out, the items add to those reported before.
   */
  part: z.strictObject({ number: z.int32().min(1), of: z.int32().min(1) }).optional(),
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

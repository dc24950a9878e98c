import type { z } from 'zod'
import { artifactsEndpoints } from './rest/artifacts.ts'
import { attachmentsEndpoints } from './rest/attachments.ts'
import { auditEndpoints } from './rest/audit.ts'
import { boardEndpoints } from './rest/board.ts'
import { executionRequestsEndpoints } from './rest/execution-requests.ts'
import { inboxEndpoints } from './rest/inbox.ts'
import { membersEndpoints } from './rest/members.ts'
import { loginRequestsEndpoints } from './rest/login-requests.ts'
import { missionsEndpoints } from './rest/missions.ts'
import { needsEndpoints } from './rest/needs.ts'
import { objectivesEndpoints } from './rest/objectives.ts'
import { peopleEndpoints } from './rest/people.ts'
import { projectsEndpoints } from './rest/projects.ts'
import { questionsEndpoints } from './rest/questions.ts'
import { runnerEndpoints } from './rest/runner.ts'
import { sharedStateEndpoints } from './rest/shared-state.ts'
import { runQueuesEndpoints } from './rest/run-queues.ts'
import { usageEndpoints } from './rest/usage.ts'
import { userTokensEndpoints } from './rest/user-tokens.ts'
import type { EndpointContract } from './rest/endpoint.ts'
import { webhookEndpoints } from './rest/webhooks.ts'
import { workspacesEndpoints } from './rest/workspaces.ts'

/** Every endpoint, in the order of matching. spec: Other REST endpoints */
export const restContracts = {
  ...projectsEndpoints,
  ...missionsEndpoints,
  ...objectivesEndpoints,
  ...artifactsEndpoints,
  ...executionRequestsEndpoints,
  ...questionsEndpoints,
  ...runQueuesEndpoints,
  ...runnerEndpoints,
  ...userTokensEndpoints,
  ...peopleEndpoints,
  ...membersEndpoints,
  ...workspacesEndpoints,
  ...loginRequestsEndpoints,
  ...inboxEndpoints,
  ...webhookEndpoints,
  ...auditEndpoints,
  ...attachmentsEndpoints,
  ...sharedStateEndpoints,
  ...usageEndpoints,
  ...needsEndpoints,
  ...boardEndpoints,
} as const satisfies Record<string, EndpointContract>

export type RouteName = keyof typeof restContracts

type Part<C, K extends string> =
  C extends Record<K, infer S extends z.ZodType>
    ? z.infer<S>
    : // an endpoint without this part adds nothing to its input
      {}
type Body<C> = C extends { body: 'bytes' } ? { bytes: Uint8Array } : Part<C, 'body'>
export type RouteInput<N extends RouteName> = Part<(typeof restContracts)[N], 'params'> &
  Part<(typeof restContracts)[N], 'query'> &
  Part<(typeof restContracts)[N], 'headers'> &
  Body<(typeof restContracts)[N]>

/** What a client sends: defaults may be left out. */
type PartSent<C, K extends string> =
  C extends Record<K, infer S extends z.ZodType>
    ? z.input<S>
    : // as above
      {}
/** Endpoint by endpoint, also where the name is not known yet: else every part of one would be tried with all of the others. */
type Sent<C> = C extends EndpointContract
  ? PartSent<C, 'params'> &
      PartSent<C, 'query'> &
      PartSent<C, 'headers'> &
      (C extends { body: 'bytes' } ? { bytes: Uint8Array } : PartSent<C, 'body'>)
  : never
export type RouteRequest<N extends RouteName> = Sent<(typeof restContracts)[N]>

/** Bytes with the headers that travel with them. */
export interface BytesAnswer {
  bytes: Uint8Array
  headers: Record<string, string>
}

export type RouteOutput<N extends RouteName> = (typeof restContracts)[N]['answer'] extends infer A
  ? A extends z.ZodType
    ? z.infer<A>
    : A extends 'bytes'
      ? BytesAnswer
      : undefined
  : never

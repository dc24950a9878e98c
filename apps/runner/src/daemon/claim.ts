import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { type Client, createClient } from '@svc/client/client'
import type { Assignment } from '@svc/contracts/assignment'
import type { Rights } from '@svc/contracts/rights'
import type { Capacity, ClaimAnswer, ClaimBody } from '@svc/contracts/runner'
import { version } from '@svc/contracts/version'
import type { z } from 'zod'
import { type FoundAgent, reportAgents } from '../agents/discover.ts'
import type { DeviceIdentity } from '../files/fingerprint.ts'
import type { Home } from '../files/home.ts'
import { type LinkedCheckout, reportResources } from '../files/resources.ts'
import type { Person } from '../run/claimant.ts'
import { type RunOrder, type Timing, logBytesBefore } from '../run/order.ts'
import type { AgentToken } from './agent-token.ts'
import type { Offer } from './offer.ts'

const waitSeconds = 20

export interface Service {
  baseUrl: string
  token: string
  /** Whose token it is. */
  person?: Person | undefined
}

/** What does not change while a daemon lives, save the agents. */
export interface DaemonContext {
  home: Home
  links: () => LinkedCheckout[]
  service: Service
  agentToken: AgentToken
  maxRights: Rights
  identity: DeviceIdentity
  projects: 'all' | readonly string[]
  ephemeral: boolean
  bootId: string
  timing: Timing
}

export function connect(
  { service, identity }: Pick<DaemonContext, 'service' | 'identity'>,
  onOtherVersion?: (served: string) => void,
): Client {
  return createClient({
    baseUrl: service.baseUrl,
    token: service.token,
    device: identity.device.fingerprint,
    ...(onOtherVersion && { onOtherVersion }),
  })
}

/** The body of one claim; its id stays the same until it is answered. */
export function claimBody(
  context: DaemonContext,
  claimId: string,
  { agents, heldAgents, ended }: Offer,
  capacity: z.infer<typeof Capacity>,
): ClaimBody {
  return {
    claimId,
    projectIds: context.projects === 'all' ? 'all' : [...context.projects],
    device: context.identity.device,
    runner: { instanceId: context.identity.instanceId, version, capacity },
    agents: reportAgents(agents),
    ...(heldAgents.length > 0 && { heldAgents }),
    ...(ended.length > 0 && { retried: ended.map(({ agent }) => agent) }),
    resources: reportResources(context.home, context.links()),
    waitSeconds,
    ...(context.agentToken === 'minted' && { mintAgentToken: true }),
    ...(context.ephemeral && { ephemeral: true }),
  }
}

/** What the supervisor gets, of an answer that holds a request. */
export function orderFrom(
  context: DaemonContext,
  agents: readonly FoundAgent[],
  answer: ClaimAnswer,
): RunOrder | undefined {
  const { request: assignment, leaseToken, agentToken = null } = answer
  if (assignment === null || leaseToken === undefined) return undefined
  const { executionRequest } = assignment
  const agent = agents.find(({ adapter }) => adapter.key === executionRequest.agent)
  const links = context.links().filter((link) => link.projectId === assignment.project.id)
  const linked = Object.fromEntries(links.map(({ resourceKey, path }) => [resourceKey, path]))
  const clones = context.ephemeral ? missingClones(assignment, linked) : {}
  return {
    assignment,
    leaseToken,
    agentToken,
    leaseSeconds: answer.leaseSeconds,
    heartbeatSeconds: answer.heartbeatSeconds,
    logBytes: answer.logBytes ?? logBytesBefore,
    serviceUrl: context.service.baseUrl,
    home: context.home.folder,
    instanceId: context.identity.instanceId,
    device: context.identity.device,
    bootId: context.bootId,
    agent: agent ? { adapter: agent.adapter, command: agent.command } : null,
    maxRights: context.maxRights,
    checkouts: { ...placesOf(context.home, assignment, clones), ...linked },
    clones,
    ephemeral: context.ephemeral,
    timing: context.timing,
  }
}

/** The resources of the project that are not linked here, and where each is cloned from; none for a run on no resource. */
function missingClones(
  { resources, executionRequest }: Assignment,
  linked: Readonly<Record<string, string>>,
): RunOrder['clones'] {
  if (executionRequest.resourceKey === null) return {}
  return Object.fromEntries(
    resources.flatMap(({ resourceKey, cloneUrl }) =>
      cloneUrl === undefined || linked[resourceKey] !== undefined ? [] : [[resourceKey, cloneUrl]],
    ),
  )
}

/** By its address, too: what was cloned from another one is not taken for it. */
function placesOf({ clones: folder }: Home, { project }: Assignment, clones: RunOrder['clones']) {
  return Object.fromEntries(
    Object.entries(clones).map(([key, url]) => {
      const place = createHash('sha256').update(url).digest('hex').slice(0, 12)
      return [key, join(folder, project.slug, place, key)]
    }),
  )
}

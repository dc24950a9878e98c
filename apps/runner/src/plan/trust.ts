import { raisedAgents, rightsOf } from '@svc/contracts/launch-settings'
import { covers, defaultRights } from '@svc/contracts/rights'
import { LaunchFailure } from '../launch-failure.ts'
import { UnusableFile } from '@svc/process/untrusted-file'
import { homeAt } from '../files/home.ts'
import { type TrustedSettings, digestOf, findTrusted } from '../files/trust-file.ts'
import type { RunOrder } from '../run/order.ts'

interface Order extends Pick<RunOrder, 'assignment' | 'device' | 'home' | 'serviceUrl'> {
  /** A command of the same person on this machine works on another home unless it names this one. */
  ownHome: boolean
  /** What it is to clone, and from where. */
  clones?: RunOrder['clones']
}

/**
 * Before anything of a project's launch settings is used. What is trusted is read for each run, and a run that uses none
 * needs no trust, unless less than it may do was trusted here. Decisions 44 and 85.
 */
export function refuseUntrusted(order: Order): void {
  const trusted = readTrusted(order)
  refuseUntrustedClones(order, trusted)
  if (usesNone(order) && !isRaised(order, trusted)) return
  const { launchSettings, project } = order.assignment
  if (trusted === undefined) {
    throw untrusted(
      order,
      `Runner ${order.device.label} does not trust the launch settings of project ${project.slug} yet.`,
    )
  }
  if (trusted.digest !== digestOf(launchSettings)) {
    throw untrusted(
      order,
      `The launch settings of project ${project.slug} are not those that runner ${order.device.label} was told to trust.`,
    )
  }
  if (isOfNow(order)) return
  throw new LaunchFailure(
    'launch_config_untrusted',
    `The launch settings of project ${project.slug} were changed after this launch, which still has the older ones: launch the objective again.`,
    'prepare',
  )
}

/** They are compared as they are, and no part of the digest. Decision 150. */
function refuseUntrustedClones(order: Order, trusted: TrustedSettings | undefined): void {
  for (const [resourceKey, url] of Object.entries(order.clones ?? {})) {
    if (trusted?.cloneUrls?.[resourceKey] === url) continue
    throw untrusted(
      order,
      `Runner ${order.device.label} was not told to trust that it clones ${resourceKey} of project ${order.assignment.project.slug} from ${url}.`,
    )
  }
}

function usesNone({ assignment }: Order): boolean {
  const { launchSettings, executionRequest } = assignment
  const { preCommand, flags } = executionRequest.config
  const { preLaunchCommands, launchEnvVars, pushBranches } = launchSettings
  const { allowedCommands = [], checks = {} } = launchSettings
  const isMore = !covers(defaultRights, rightsOf(launchSettings, executionRequest.agent))
  const used = [preCommand.value, pushBranches, isMore].filter(Boolean).length
  const names = [launchEnvVars, checks].flatMap((one) => Object.keys(one))
  const lists = [flags.value, preLaunchCommands, names, allowedCommands]
  return used === 0 && lists.every((list) => list.length === 0)
}

/** Its agent may do more than this machine was told when it was last asked. */
function isRaised({ assignment }: Order, trusted: TrustedSettings | undefined): boolean {
  const { launchSettings, executionRequest } = assignment
  if (trusted?.settings === undefined) return false
  return raisedAgents(launchSettings, trusted.settings).includes(executionRequest.agent)
}

/** A launch freezes its command and flags, and the digest covers those of now. One that has none adds nothing. */
function isOfNow({ assignment }: Order): boolean {
  const { launchSettings, executionRequest } = assignment
  const { config, agent } = executionRequest
  const [preCommand, flags] = [config.preCommand.value, config.flags.value]
  const flagsNow = launchSettings.agentFlags[agent] ?? []
  const sameFlags =
    flags.length === flagsNow.length && flags.every((flag, at) => flag === flagsNow[at])
  return (
    (preCommand === null || preCommand === launchSettings.preCommand) &&
    (flags.length === 0 || sameFlags)
  )
}

function readTrusted({ assignment, home, serviceUrl }: Order): TrustedSettings | undefined {
  const trusting = { service: serviceUrl, projectId: assignment.project.id }
  try {
    return findTrusted(homeAt(home), trusting)
  } catch (cause) {
    if (!(cause instanceof UnusableFile)) throw cause
    throw new LaunchFailure('launch_config_untrusted', cause.message, 'prepare', { cause })
  }
}

function untrusted({ assignment, ownHome }: Order, message: string): LaunchFailure {
  const { slug: project } = assignment.project
  const params = { project, ...(ownHome && { ownHome }) }
  const next = { operation: 'trustLaunchSettings', params } as const
  return new LaunchFailure('launch_config_untrusted', message, 'prepare', { next })
}

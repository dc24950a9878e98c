import { LaunchFailure } from '../launch-failure.ts'
import { UnusableFile } from '@svc/process/untrusted-file'
import { homeAt } from '../files/home.ts'
import { type TrustedSettings, digestOf, findTrusted } from '../files/trust-file.ts'
import type { RunOrder } from '../run/order.ts'

type Order = Pick<RunOrder, 'assignment' | 'device' | 'home' | 'serviceUrl'>

/**
 * Before anything of a project's launch settings is used. What is trusted is read for each run, and a run that uses none
 * needs no trust. Decision 44.
 */
export function refuseUntrusted(order: Order): void {
  if (usesNone(order)) return
  const { launchSettings, project } = order.assignment
  const trusted = readTrusted(order)
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

function usesNone({ assignment }: Order): boolean {
  const { launchSettings, executionRequest } = assignment
  const { preCommand, flags } = executionRequest.config
  const { preLaunchCommands, launchEnvVars, pushBranches, allowedCommands = [] } = launchSettings
  const used = [preCommand.value, pushBranches].filter(Boolean).length
  const lists = [flags.value, preLaunchCommands, Object.keys(launchEnvVars), allowedCommands]
  return used === 0 && lists.every((list) => list.length === 0)
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

function untrusted({ assignment }: Order, message: string): LaunchFailure {
  const { slug: project } = assignment.project
  const next = { operation: 'trustLaunchSettings', params: { project } } as const
  return new LaunchFailure('launch_config_untrusted', message, 'prepare', { next })
}

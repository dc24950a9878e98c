import type { Client } from '@svc/client/client'
import type { RouteRequest } from '@svc/contracts/rest'
import type { Device } from '@svc/contracts/runner'
import type { LaunchPreview } from '@svc/runner/plan/preview'
import { type Cli, credentialsOf, print } from '../cli.ts'
import { runnerHomeOf } from '../runner-home.ts'
import { exitCode } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'
import { withStep } from './next-step.ts'
import { shellWord } from '@svc/contracts/shell-words'
import { sanitize } from './terminal.ts'

/** How a launch would be started on this machine. It fails where it would not be. */
export async function printPreview(
  cli: Cli,
  client: Client,
  wanted: RouteRequest<'previewLaunch'>,
  options: { runnerHome?: string },
): Promise<void> {
  const { previewLaunch } = await import('@svc/runner/plan/preview')
  const { readDevice } = await import('@svc/runner/files/fingerprint')
  const { boundOf } = await import('./rights-bound.ts')
  const home = await runnerHomeOf(cli, options.runnerHome)
  const { device: own } = readDevice(home)
  const { assignment } = await client.call('previewLaunch', {
    ...wanted,
    'x-svc-device': own.fingerprint,
  })
  const { device, offered } = await asListed(client, own, assignment.executionRequest.runnerId)
  const { baseUrl: serviceUrl } = await credentialsOf(cli)
  const preview = await previewLaunch({
    assignment,
    home,
    serviceUrl,
    device,
    env: cli.env,
    offered,
    maxRights: boundOf(home, cli.env),
  }).catch(toFailure)
  const { objective, executionRequest } = assignment
  const { agent, resourceKey } = executionRequest
  const shown = { objective: objective.displayId, agent, resourceKey, ...preview }
  await print(cli, shown, () => describe(shown))
  const [problem] = preview.problems
  if (problem) throw wouldNotStart(problem)
}

/** The runner of this machine by the label and with the agents that the service lists, where it knows one. */
async function asListed(client: Client, device: Device, runnerId: string | null) {
  const known = runnerId !== null && (await client.call('listRunners', {})).runners
  const runner = known && known.find(({ id }) => id === runnerId)
  if (!runner) return { device, offered: [] }
  return { device: { ...device, label: runner.label }, offered: runner.agents }
}

async function toFailure(error: unknown): Promise<never> {
  const { LaunchFailure } = await import('@svc/runner/launch-failure')
  throw error instanceof LaunchFailure ? wouldNotStart(error) : error
}

type Problem = LaunchPreview['problems'][number]

function wouldNotStart({ code, message, next }: Problem): CommandFailure {
  return new CommandFailure(
    'would_not_start',
    `On this machine the run would end as ${code}: ${withStep(message, next)}`,
    exitCode.conflict,
  )
}

interface ShownPreview extends LaunchPreview {
  objective: string
  agent: string
  resourceKey: string | null
}

function describe(shown: ShownPreview): string {
  const { variables, preLaunchCommands, problems } = shown
  const sections = {
    run: [`${shown.objective} with ${shown.agent} in ${shown.workingDirectory}`],
    branch: branchLines(shown),
    rights: rightsLines(shown),
    variables: Object.entries(variables).map(([name, value]) => `${name}=${value}`),
    'before the agent': preLaunchCommands,
    agent: [shown.argv.map(shellWord).join(' ')],
    'before the delivery': shown.checks.map(({ name, command }) => `${name}: ${command}`),
    'would not start': problems.map((one) => `${one.code}: ${withStep(one.message, one.next)}`),
  }
  return Object.entries(sections)
    .filter(([, lines]) => lines.length > 0)
    .map(([name, lines]) => [name, ...lines.map(indented)].join('\n'))
    .join('\n\n')
}

function branchLines({ branch, resourceKey }: ShownPreview): string[] {
  if (branch === null) return resourceKey === null ? ['none: the project links no resource'] : []
  const { name, cutFrom, startSha, warnings } = branch
  const how = cutFrom === null ? 'goes on with what is there, begun' : `cut from ${cutFrom}`
  return [`${name}, ${how} at ${startSha.slice(0, 12)}`, ...warnings]
}

function rightsLines({ agent, rights: shown }: ShownPreview): string[] {
  const { rights, ofProject, bound, inWords, isSet, warnings } = shown
  const origin = isSet
    ? `the project sets ${ofProject}`
    : `the project sets none, which is ${ofProject}`
  const most = bound === 'all' ? 'this runner has no bound' : `this runner gives at most ${bound}`
  return [`${rights}: ${agent} may ${inWords}`, `${origin}; ${most}`, ...warnings]
}

function indented(line: string): string {
  return sanitize(line).replaceAll(/^/gm, '  ')
}

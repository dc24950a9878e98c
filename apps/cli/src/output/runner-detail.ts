import { describeLimit } from '@svc/contracts/agent-limit'
import type { RouteOutput } from '@svc/contracts/rest'
import { stateOfRun } from '@svc/contracts/run-end'
import { type Cli, openClient, print } from '../cli.ts'
import { requireRunner } from '../runner-ref.ts'
import { progressOf } from './progress.ts'
import { details, table } from './table.ts'

export async function showRunner(cli: Cli, wanted: string): Promise<void> {
  const client = await openClient(cli)
  const { id } = await requireRunner(client, wanted)
  const answer = await client.call('getRunner', { id })
  await print(cli, answer, () => describe(cli, answer))
}

function describe({ stdout }: Cli, { runner, executionRequests: runs }: RouteOutput<'getRunner'>) {
  const { capacity, offers, heldAgents, checkouts } = runner
  const fields = {
    runner: runner.label,
    id: runner.id,
    state: runner.state,
    'last heard': runner.lastHeardAt,
    owner: runner.owner.name,
    machine: `${runner.platform} ${runner.arch}`,
    version: runner.version,
    carries: `${capacity.running} of ${capacity.max} runs`,
    projects: runner.projects?.map(({ slug }) => slug).join(' ') ?? 'all',
  }
  const agents = [
    ...offers.map(({ key, version, path }) => [key, version, 'offered', path]),
    ...heldAgents.map(({ key, reason, until }) => [
      key,
      null,
      `held until ${until}: ${describeLimit(reason)}`,
    ]),
  ]
  const linked = checkouts.map(({ project, resourceKey, state, path }) => [
    project.slug,
    resourceKey,
    state,
    path,
  ])
  const carried = runs.map((run) => [
    run.id,
    run.objective.displayId,
    stateOfRun(run),
    progressOf(run),
    run.agent,
  ])
  return [
    details(fields, stdout),
    ...listOf(['AGENT', 'VERSION', 'STATE', 'PATH'], agents),
    ...listOf(['CHECKOUT IN', 'RESOURCE', 'STATE', 'PATH'], linked),
    ...listOf(['RUN', 'OBJECTIVE', 'STATE', 'PROGRESS', 'AGENT'], carried),
  ].join('\n\n')

  function listOf(head: readonly string[], rows: Parameters<typeof table>[1]): string[] {
    return rows.length > 0 ? [table(head, rows, stdout)] : []
  }
}

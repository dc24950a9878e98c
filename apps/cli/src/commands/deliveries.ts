import type { Client } from '@svc/client/client'
import type { FileChange } from '@svc/contracts/change-rationale'
import type { Delivery } from '@svc/contracts/delivery'
import { isObjectiveDisplayId } from '@svc/contracts/ids'
import type { Command } from 'commander'
import { type Cli, openClient, print } from '../cli.ts'
import { checksInLine, describeChecks } from '../output/describe-checks.ts'
import { describeArtifacts, describeChanges } from '../output/describe-delivery.ts'
import { everyPage } from '../output/every-page.ts'
import { exitCode } from '../output/exit-codes.ts'
import { CommandFailure, usageFailure } from '../output/failure.ts'
import { findObjective, objectiveNames } from '../output/objective-names.ts'
import { type PageOptions, cursorOption, limitOption, pageOf, sayMore } from '../output/more.ts'
import { oneLine, sanitize } from '../output/terminal.ts'

export function define(command: Command, cli: Cli): void {
  command.addHelpText(
    'after',
    '\nExamples:\n  svc deliveries list web:12\n  svc deliveries show web:12.k7qd',
  )
  command
    .command('list')
    .description('list what was delivered in a mission, newest first')
    .argument('<mission>', 'display id or UUID')
    .option(...limitOption)
    .option(...cursorOption)
    .addHelpText(
      'after',
      '\nExamples:\n  svc deliveries list web:12\n  svc deliveries list web:12 --limit 5 --json',
    )
    .action((mission: string, options: PageOptions) => list(cli, mission, options))
  command
    .command('show')
    .description('show a delivery: its report, its artifacts, and why each file was changed')
    .argument(
      '<delivered>',
      'display id of the objective that was delivered, or of a mission for its newest delivery',
    )
    .argument('[delivery]', 'id of another delivery of the mission')
    .addHelpText(
      'after',
      '\nExamples:\n  svc deliveries show web:12.k7qd\n  svc deliveries show web:12 --json',
    )
    .action((ref: string, id?: string) => show(cli, ref, id))
}

async function list(cli: Cli, id: string, page: PageOptions): Promise<void> {
  const client = await openClient(cli)
  const answer = await client.call('listDeliveries', { id, ...pageOf(page) })
  await print(cli, answer, () => describeList(cli, client, answer.deliveries))
  sayMore(cli, answer)
}

async function describeList(cli: Cli, client: Client, deliveries: readonly Delivery[]) {
  const nameOf = await objectiveNames(client, deliveries)
  const { table } = await import('../output/table.ts')
  const rows = deliveries.map((one) => [
    nameOf(one),
    one.createdAt,
    one.report.presentation.status,
    one.artifacts.length,
    one.summary.split('\n')[0],
    one.id,
  ])
  const columns = ['OBJECTIVE', 'DELIVERED AT', 'PRESENTED', 'ARTIFACTS', 'SUMMARY', 'DELIVERY']
  return table(columns, rows, cli.stdout)
}

async function show(cli: Cli, ref: string, id?: string): Promise<void> {
  const client = await openClient(cli)
  const delivery = await requireDelivery(client, ref, id)
  const objective = await findObjective(client, delivery.objectiveId)
  const fileChanges = await changesOf(client, delivery)
  await print(cli, { delivery, fileChanges }, async () => {
    const { details } = await import('../output/table.ts')
    const head = {
      delivery: delivery.id,
      objective: objective?.displayId ?? 'deleted',
      ...(objective && { title: objective.title }),
      'delivered at': delivery.createdAt,
      run: delivery.executionRequestId,
      presented: presentedBy[delivery.report.presentation.status],
      checks: delivery.checks && checksInLine(delivery.checks),
      'not on its branch': delivery.warnings.join(' ') || null,
    }
    const parts = [
      details(head, cli.stdout),
      ...(delivery.checks?.outcome === 'failed' ? [describeChecks(delivery.checks)] : []),
      sanitize(delivery.report.presentation.markdown),
      await describeArtifacts(cli, delivery),
      describeChanges(cli, fileChanges),
    ]
    return parts.filter((part) => part !== '').join('\n\n')
  })
}

const presentedBy: Record<Delivery['report']['presentation']['status'], string> = {
  deterministic: 'as the agent reported it',
  composing: 'as the agent reported it; a model is to compose it anew',
  composed: 'as a model composed it; --json has what the agent reported',
}

async function requireDelivery(client: Client, ref: string, id?: string): Promise<Delivery> {
  if (isObjectiveDisplayId(ref)) {
    if (id !== undefined) throw usageFailure(`${ref} is delivered once: leave out ${oneLine(id)}.`)
    const { objective } = await client.call('getObjective', { id: ref })
    const isOfIt = ({ objectiveId }: Delivery) => objectiveId === objective.id
    const found = await findIn(client, objective.missionId, isOfIt)
    return found ?? nothing(ref, `svc objectives show ${ref}`)
  }
  if (id !== undefined) {
    const found = await findIn(client, ref, (delivery) => delivery.id === id)
    if (found) return found
    const message = `${ref} has no delivery ${oneLine(id)}: run svc deliveries list ${ref}.`
    throw new CommandFailure('not_found', message, exitCode.notFound)
  }
  const { deliveries } = await client.call('listDeliveries', { id: ref, limit: 1 })
  return deliveries[0] ?? nothing(ref, `svc missions show ${ref}`)
}

async function findIn(
  client: Client,
  id: string,
  isWanted: (delivery: Delivery) => boolean,
): Promise<Delivery | undefined> {
  for await (const page of everyPage((query) => client.call('listDeliveries', { id, ...query }))) {
    const found = page.deliveries.find(isWanted)
    if (found) return found
  }
  return undefined
}

function nothing(ref: string, next: string): never {
  const message = `Nothing was delivered for ${ref} yet: run ${next}.`
  throw new CommandFailure('not_found', message, exitCode.notFound)
}

/** They come in the order of their objectives' ids. */
async function changesOf(client: Client, { missionId, objectiveId }: Delivery) {
  const found: FileChange[] = []
  const read = (query: { limit: number; cursor?: string }) =>
    client.call('listFileChanges', { id: missionId, ...query })
  for await (const { fileChanges } of everyPage(read)) {
    found.push(...fileChanges.filter((change) => change.objectiveId === objectiveId))
    if (fileChanges.some((change) => change.objectiveId > objectiveId)) break
  }
  return found
}

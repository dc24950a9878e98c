import type { Client } from '@svc/client/client'
import type { RouteRequest } from '@svc/contracts/rest'
import type { Command } from 'commander'
import { type Cli, openClient, print } from '../cli.ts'
import { usageFailure } from '../output/failure.ts'

type Value = RouteRequest<'setSharedState'>['value']

/** `svc missions state …` */
export function defineState(missions: Command, cli: Cli): void {
  const group = missions
    .command('state')
    .description('list, set and remove what the agents of a mission share')
    .addHelpText(
      'after',
      '\nExamples:\n  svc missions state list web:12\n  svc missions state set web:12 port 4600',
    )
  group
    .command('list')
    .description('list the keys of a mission with their values')
    .argument('<mission>', 'display id or UUID')
    .addHelpText('after', '\nExamples:\n  svc missions state list web:12')
    .action((mission: string) => list(cli, mission))
  group
    .command('set')
    .description('set a key')
    .argument('<mission>', 'display id or UUID')
    .argument('<key>')
    .argument('<value>', 'JSON; what is not JSON is taken as a text')
    .option('--expected-revision <number>', 'as it was read, 0 for nothing; else as it is now')
    .addHelpText(
      'after',
      '\nExamples:\n  svc missions state set web:12 port 4600\n  svc missions state set web:12 owner \'{"name":"api"}\' --expected-revision 0',
    )
    .action((mission: string, key: string, value: string, options: RevisionOption) =>
      set(cli, { id: mission, key, value: valueOf(value) }, options),
    )
  group
    .command('remove')
    .description('remove a key')
    .argument('<mission>', 'display id or UUID')
    .argument('<key>')
    .option('--expected-revision <number>', 'as it was read; else as it is now')
    .addHelpText('after', '\nExamples:\n  svc missions state remove web:12 port')
    .action((mission: string, key: string, options: RevisionOption) =>
      set(cli, { id: mission, key, value: null }, options),
    )
}

interface RevisionOption {
  expectedRevision?: string
}

function valueOf(given: string): Value {
  try {
    return JSON.parse(given) as Value // JSON is what the contract asks for
  } catch {
    return given
  }
}

async function list(cli: Cli, id: string): Promise<void> {
  const answer = await (await openClient(cli)).call('listSharedState', { id })
  const { table } = await import('../output/table.ts')
  const rows = answer.sharedState.map(({ key, value, revision, updatedAt, setBy }) => [
    key,
    JSON.stringify(value),
    revision,
    updatedAt,
    setBy && `${setBy.name} (${setBy.role})`,
  ])
  const head = ['KEY', 'VALUE', 'REVISION', 'SET', 'BY']
  await print(cli, answer, () => table(head, rows, cli.stdout))
}

async function set(
  cli: Cli,
  change: { id: string; key: string; value: Value },
  options: RevisionOption,
): Promise<void> {
  const client = await openClient(cli)
  const expectedRevision = await expectedOf(client, change, options)
  const answer = await client.call('setSharedState', { ...change, expectedRevision })
  await print(cli, answer, () =>
    answer.entry
      ? `${change.key} is at revision ${answer.entry.revision}`
      : `removed ${change.key}`,
  )
}

async function expectedOf(
  client: Client,
  { id, key }: { id: string; key: string },
  { expectedRevision: given }: RevisionOption,
): Promise<number> {
  if (given !== undefined) {
    if (/^\d{1,15}$/.test(given)) return Number(given)
    throw usageFailure('--expected-revision takes a number from 0.')
  }
  const { sharedState } = await client.call('listSharedState', { id })
  return sharedState.find((one) => one.key === key)?.revision ?? 0
}

import type { Client } from '@svc/client/client'
import type { MissionEvent } from '@svc/contracts/mission'
import type { Command } from 'commander'
import { type Cli, openClient, print } from '../cli.ts'
import { appendTo } from '../choices.ts'
import { type PageOptions, pageOf, pageSize, sayMore } from '../output/more.ts'

export function define(command: Command, cli: Cli): void {
  command
    .argument('<mission>', 'display id or UUID')
    .option('-f, --follow', 'all of it and what is added, until Ctrl-C; with --json one a line')
    .option(
      '--type <type>',
      'only those, such as delivery or ci:passed; may be repeated',
      appendTo,
      [],
    )
    .option('--objective <objective>', 'only those of it: display id or UUID')
    .option('--limit <number>', 'how many of the newest events, without --follow', pageSize)
    .option('--cursor <cursor>', 'go on from the page before, to what is older')
    .addHelpText(
      'after',
      '\nExamples:\n  svc events web:12\n  svc events web:12 --limit 200 --json\n  svc events web:12 -f\n  svc events web:12 --type ask --type answer --objective web:12.k7qd',
    )
    .action((mission: string, options: Options) => events(cli, mission, options))
}

interface Options extends PageOptions {
  follow?: true
  type: string[]
  objective?: string
}

async function events(cli: Cli, id: string, options: Options): Promise<void> {
  const { follow, type: types, objective, ...page } = options
  const client = await openClient(cli)
  if (follow) {
    const { followMission } = await import('../output/follow-mission.ts')
    const shows = await whichShow(client, options)
    return followMission(cli, client, { id, isDone: async () => false, shows, passesForGood: true })
  }
  const answer = await client.call('listMissionEvents', {
    id,
    ...pageOf(page),
    ...(types.length > 0 && { types: types.join(',') }),
    ...(objective !== undefined && { objectiveId: objective }),
  })
  const { table } = await import('../output/table.ts')
  // the newest last, as when they are followed
  const rows = answer.events
    .toReversed()
    .map(({ createdAt, type, actor, summary }) => [createdAt, type, actor.name, summary])
  await print(cli, answer, () => table(['AT', 'EVENT', 'BY', 'WHAT'], rows, cli.stdout))
  sayMore(cli, answer)
}

/** What is followed is read whole, and narrowed here. */
async function whichShow(client: Client, { type: types, objective }: Options) {
  const id = objective && (await client.call('getObjective', { id: objective })).objective.id
  return (event: MissionEvent) =>
    (types.length === 0 || types.includes(event.type)) &&
    (id === undefined || event.objectiveId === id)
}

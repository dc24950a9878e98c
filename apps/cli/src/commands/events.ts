import type { Command } from 'commander'
import { type Cli, openClient, print } from '../cli.ts'
import { type PageOptions, pageOf, sayMore } from '../output/more.ts'

export function define(command: Command, cli: Cli): void {
  command
    .argument('<mission>', 'display id or UUID')
    .option('-f, --follow', 'all of it and what is added, until Ctrl-C; with --json one a line')
    .option('--limit <number>', 'how many of the newest events, without --follow', '50')
    .option('--cursor <cursor>', 'go on from the page before, to what is older')
    .addHelpText(
      'after',
      '\nExamples:\n  svc events web:12\n  svc events web:12 --limit 200 --json\n  svc events web:12 -f',
    )
    .action((mission: string, options: Options) => events(cli, mission, options))
}

interface Options extends PageOptions {
  follow?: true
}

async function events(cli: Cli, id: string, { follow, ...page }: Options): Promise<void> {
  const client = await openClient(cli)
  if (follow) {
    const { followMission } = await import('../output/follow-mission.ts')
    return followMission(cli, client, { id, isDone: async () => false })
  }
  const answer = await client.call('listMissionEvents', { id, ...pageOf(page) })
  const { table } = await import('../output/table.ts')
  // the newest last, as when they are followed
  const rows = answer.events
    .toReversed()
    .map(({ createdAt, type, actor, summary }) => [createdAt, type, actor.name, summary])
  await print(cli, answer, () => table(['AT', 'EVENT', 'BY', 'WHAT'], rows, cli.stdout))
  sayMore(cli, answer)
}

import type { RouteRequest } from '@svc/contracts/rest'
import { type Command, Option } from 'commander'
import { type Cli, openClient, print } from '../cli.ts'
import { usageFailure } from '../output/failure.ts'
import { oneLine } from '../output/terminal.ts'

type Switch = 'on' | 'off'
interface EditOptions {
  title?: string
  priority?: RouteRequest<'updateMission'>['priority']
  autoAdvance?: Switch
  parallel?: Switch
}

export function defineMissionEdit(group: Command, cli: Cli): void {
  const onOrOff = (flags: string, what: string) =>
    new Option(flags, what).choices(['on', 'off'] satisfies Switch[])
  group
    .command('edit')
    .description('rename a mission, or change how its objectives follow each other')
    .argument('<mission>', 'display id or UUID')
    .option('--title <title>')
    .option('--priority <priority>', 'low, normal, high or urgent')
    .addOption(
      onOrOff('--auto-advance <on|off>', 'launch the next objective when one is delivered'),
    )
    .addOption(onOrOff('--parallel <on|off>', 'let objectives run at the same time'))
    .addHelpText(
      'after',
      '\nExamples:\n  svc missions edit web:12 --title "Dark mode"\n  svc missions edit web:12 --auto-advance on --parallel off',
    )
    .action((id: string, options: EditOptions) => edit(cli, id, options))
}

async function edit(cli: Cli, id: string, options: EditOptions): Promise<void> {
  const { title, priority, autoAdvance, parallel } = options
  const changes = {
    ...(title !== undefined && { title }),
    ...(priority !== undefined && { priority }),
    ...(autoAdvance && { auto_advance: autoAdvance === 'on' }),
    ...(parallel && { allowParallelObjectives: parallel === 'on' }),
  }
  if (Object.keys(changes).length === 0) {
    throw usageFailure('Say what to change: --title, --priority, --auto-advance or --parallel.')
  }
  const client = await openClient(cli)
  const answer = await client.call('updateMission', { id, ...changes })
  await print(cli, answer, () => {
    const { mission } = answer
    const advance = mission.auto_advance ? 'on' : 'off'
    const parallel = mission.allowParallelObjectives ? 'on' : 'off'
    return `${mission.displayId} ${oneLine(mission.title)}: priority ${mission.priority}, auto-advance ${advance}, parallel ${parallel}`
  })
}

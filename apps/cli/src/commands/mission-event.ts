import type { RouteRequest } from '@svc/contracts/rest'
import type { Command } from 'commander'
import { type Cli, openClient, print } from '../cli.ts'
import { readStructured, structuredOption } from '../structured-options.ts'

type EventInput = RouteRequest<'createMissionEvent'>

export function defineEvent(group: Command, cli: Cli): void {
  const command = group
    .command('event')
    .description('write an event of your own on a mission; webhooks of its type are notified')
    .argument('<mission>', 'display id or UUID')
    .argument('<type>', '<namespace>:<name>, as in deploy:finished')
    .argument('<summary>', 'what happened, in a sentence')
  structuredOption(command, 'data', 'an object of what else belongs to it')
    .addHelpText(
      'after',
      '\nExamples:\n  svc missions event web:12 deploy:finished "Deployed to staging"\n  svc missions event web:12 ci:failed "2 tests fail" --data-json \'{"build":714}\'',
    )
    .action((id: string, type: string, summary: string, options: Record<string, unknown>) =>
      writeEvent(cli, { id, type, summary }, options),
    )
}

async function writeEvent(
  cli: Cli,
  event: Omit<EventInput, 'data'>,
  options: Record<string, unknown>,
): Promise<void> {
  const data = await readStructured(options, 'data')
  const client = await openClient(cli)
  const answer = await client.call('createMissionEvent', {
    ...event,
    // the service judges it by the contract
    ...(data !== undefined && { data: data as EventInput['data'] }),
  })
  await print(cli, answer, () => `written ${answer.event.id}`)
}

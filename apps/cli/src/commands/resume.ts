import type { Command } from 'commander'
import { type Cli, openClient } from '../cli.ts'
import { watchOption, printLaunched } from '../output/launched.ts'

export function define(command: Command, cli: Cli): void {
  command
    .argument('<objective>', 'display id or UUID')
    .option(...watchOption)
    .addHelpText(
      'after',
      '\nGoes on on the machine of that run, in its checkout and, where the agent can, in its own conversation; svc launch begins anew.\n\nExamples:\n  svc resume web:12.k7qd\n  svc resume web:12.k7qd --watch',
    )
    .action(async (id: string, options: { watch?: true }) => {
      const client = await openClient(cli)
      const answer = await client.call('resumeObjective', { id })
      await printLaunched(cli, client, answer, options)
    })
}

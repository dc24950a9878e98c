import type { Command } from 'commander'
import { type Cli, openClient, say } from '../cli.ts'
import { watchOption, tellLaunched } from '../output/launched.ts'
import { unlessForbidden } from '../output/offered-agents.ts'
import { shellWord } from '../output/shell-word.ts'
import { oneLine } from '../output/terminal.ts'
import { findEntry } from '../queue-ref.ts'

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
      const { objective, found } = (await unlessForbidden(findEntry(client, id))) ?? {}
      const answer = await client.call('resumeObjective', { id })
      if (objective && found?.entry.state === 'held') {
        const { name } = found.queue
        const back = `svc queue add ${objective.displayId} --queue ${shellWord(name)}`
        say(
          cli,
          oneLine(
            `It has left the queue ${name}, where it was held; when it has stopped, put it back with: ${back}`,
          ),
        )
      }
      await tellLaunched(cli, client, answer, options)
    })
}

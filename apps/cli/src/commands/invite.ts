import { Role } from '@svc/contracts/permissions'
import type { Command } from 'commander'
import { oneOf } from '../choices.ts'
import { type Cli, openClient, print, say } from '../cli.ts'
import { localTime } from '../output/local-time.ts'

export function define(command: Command, cli: Cli): void {
  command
    .description('print a link by which somebody joins the workspace, once; nothing is mailed')
    .argument('<email>', 'who it is for')
    .addOption(oneOf('--role <role>', 'at most your own', Role.options, 'member'))
    .addHelpText(
      'after',
      '\nExamples:\n  svc invite anna@example.com\n  svc invite anna@example.com --role viewer',
    )
    .action((email: string, options: { role: Role }) => invite(cli, email, options.role))
}

async function invite(cli: Cli, email: string, role: Role): Promise<void> {
  const answer = await (await openClient(cli)).call('createInvitation', { email, role })
  const { expiresAt } = answer.invitation
  say(
    cli,
    `It is shown this once and good until ${localTime(expiresAt)}: hand it to ${email} alone. An earlier one for that address is worthless now.`,
  )
  await print(cli, answer, () => answer.link)
}

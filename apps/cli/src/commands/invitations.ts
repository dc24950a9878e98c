import type { Invitation } from '@svc/contracts/member'
import type { Command } from 'commander'
import { type Cli, openClient, print } from '../cli.ts'
import { everyPage } from '../output/every-page.ts'

export function define(command: Command, cli: Cli): void {
  command.addHelpText('after', '\nExamples:\n  svc invitations list')
  command
    .command('list')
    .description('list the invitations that are open')
    .addHelpText('after', '\nExamples:\n  svc invitations list')
    .action(() => list(cli))
  command
    .command('revoke')
    .description('make the link of an invitation worthless')
    .argument('<invitation>', 'its UUID, as svc invitations list shows it')
    .addHelpText(
      'after',
      '\nExamples:\n  svc invitations revoke 0190c9a2-7b1e-7c4e-9d55-3f1f6f3a2b10',
    )
    .action((id: string) => revoke(cli, id))
}

async function list(cli: Cli): Promise<void> {
  const client = await openClient(cli)
  const invitations: Invitation[] = []
  for await (const page of everyPage((query) => client.call('listInvitations', query))) {
    invitations.push(...page.invitations)
  }
  const { table } = await import('../output/table.ts')
  const rows = invitations.map(({ id, email, role, invitedBy, expiresAt }) => {
    return [id, email, role, invitedBy.name, expiresAt]
  })
  const columns = ['INVITATION', 'FOR', 'AS', 'BY', 'UNTIL']
  await print(cli, { invitations }, () => table(columns, rows, cli.stdout))
}

async function revoke(cli: Cli, id: string): Promise<void> {
  await (await openClient(cli)).call('revokeInvitation', { id })
  await print(cli, { revoked: id }, () => `revoked ${id}`)
}

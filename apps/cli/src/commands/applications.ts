import type { ConnectedApplication } from '@svc/contracts/user-token'
import type { Command } from 'commander'
import { type Cli, openClient, print } from '../cli.ts'
import { everyPage } from '../output/every-page.ts'

export function define(command: Command, cli: Cli): void {
  command.addHelpText('after', '\nExamples:\n  svc applications list')
  command
    .command('list')
    .description('list the applications that you let in')
    .addHelpText('after', '\nExamples:\n  svc applications list')
    .action(() => list(cli))
  command
    .command('disconnect')
    .description('take an application its access away, at once')
    .argument('<application>', 'its UUID, as svc applications list shows it')
    .addHelpText(
      'after',
      '\nExamples:\n  svc applications disconnect 0190c9a2-7b1e-7c4e-9d55-3f1f6f3a2b10',
    )
    .action((id: string) => disconnect(cli, id))
}

async function list(cli: Cli): Promise<void> {
  const client = await openClient(cli)
  const found: ConnectedApplication[] = []
  for await (const page of everyPage((query) => client.call('listConnectedApplications', query))) {
    found.push(...page.connectedApplications)
  }
  const { table } = await import('../output/table.ts')
  const rows = found.map(({ id, label, preset, permissions, expiresAt, lastUsedAt }) => {
    return [id, label, preset ?? permissions.join(' '), expiresAt, lastUsedAt]
  })
  const columns = ['APPLICATION', 'NAME', 'MAY', 'UNTIL', 'LAST USED']
  await print(cli, { connectedApplications: found }, () => table(columns, rows, cli.stdout))
}

async function disconnect(cli: Cli, id: string): Promise<void> {
  await (await openClient(cli)).call('endConnectedApplication', { id })
  await print(cli, { disconnected: id }, () => `disconnected ${id}`)
}

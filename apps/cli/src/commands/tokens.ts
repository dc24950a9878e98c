import { TokenPreset, permissions } from '@svc/contracts/permissions'
import type { RouteRequest } from '@svc/contracts/rest'
import type { UserToken, WorkspaceToken } from '@svc/contracts/user-token'
import type { Command } from 'commander'
import { type Cli, openClient, print, say } from '../cli.ts'
import { appendTo, oneOf, someOf } from '../choices.ts'
import { everyPage } from '../output/every-page.ts'
import { usageFailure } from '../output/failure.ts'

type TokenInput = RouteRequest<'createUserToken'>

const exampleId = '0190c9a2-7b1e-7c4e-9d55-3f1f6f3a2b10'

export function define(command: Command, cli: Cli): void {
  command.addHelpText(
    'after',
    '\nExamples:\n  svc tokens list\n  svc tokens create laptop --preset runner',
  )
  command
    .command('list')
    .description('list your tokens; none is shown whole')
    .option('--all', 'those of everybody in the workspace, and of applications')
    .addHelpText('after', '\nExamples:\n  svc tokens list\n  svc tokens list --all')
    .action(({ all }: { all?: true }) => (all ? listAll(cli) : list(cli)))
  command
    .command('create')
    .description('create a token and print it, once')
    .argument('<label>', 'what it is for')
    .addOption(oneOf('--preset <preset>', 'what it may do', TokenPreset.options))
    .addOption(
      someOf('--permission <permission>', 'instead of a preset; may be repeated', permissions),
    )
    .option('--project <project>', 'bound to this project; may be repeated', appendTo, [])
    .option('--days <number>', 'how long it is good', '90')
    .addHelpText(
      'after',
      '\nExamples:\n  svc tokens create laptop --preset runner > token\n  svc tokens create reader --permission mission:read --project web --days 7',
    )
    .action((label: string, options: CreateOptions) => create(cli, label, options))
  command
    .command('revoke')
    .description('end a token at once')
    .argument('<token>', 'its UUID, as svc tokens list shows it')
    .option('--of-others', 'whoever it belongs to; for admins')
    .addHelpText(
      'after',
      `\nExamples:\n  svc tokens revoke ${exampleId}\n  svc tokens revoke ${exampleId} --of-others`,
    )
    .action((id: string, { ofOthers }: { ofOthers?: true }) =>
      revoke(cli, id, ofOthers ? 'revokeWorkspaceToken' : 'revokeUserToken'),
    )
}

interface CreateOptions {
  preset?: TokenInput['preset']
  permission: string[]
  project: string[]
  days: string
}

async function list(cli: Cli): Promise<void> {
  const client = await openClient(cli)
  const userTokens: UserToken[] = []
  // whoever looks for a token to revoke must not miss one
  for await (const page of everyPage((query) => client.call('listUserTokens', query))) {
    userTokens.push(...page.userTokens)
  }
  const { table } = await import('../output/table.ts')
  const rows = userTokens.map(cellsOf)
  await print(cli, { userTokens }, () => table(columns, rows, cli.stdout))
}

async function listAll(cli: Cli): Promise<void> {
  const client = await openClient(cli)
  const userTokens: WorkspaceToken[] = []
  for await (const page of everyPage((query) => client.call('listWorkspaceTokens', query))) {
    userTokens.push(...page.userTokens)
  }
  const { table } = await import('../output/table.ts')
  const rows = userTokens.map((token) => [...cellsOf(token), token.kind, token.person.email])
  await print(cli, { userTokens }, () => table([...columns, 'KIND', 'OF'], rows, cli.stdout))
}

const columns = ['TOKEN', 'LABEL', 'MAY', 'UNTIL', 'LAST USED']

function cellsOf(token: UserToken) {
  const { id, label, preset, permissions, revokedAt, expiresAt, lastUsedAt } = token
  return [id, label, preset ?? permissions.join(' '), revokedAt ? 'revoked' : expiresAt, lastUsedAt]
}

async function create(cli: Cli, label: string, options: CreateOptions): Promise<void> {
  const { preset, permission, project, days } = options
  if ((preset === undefined) === (permission.length === 0)) {
    const presets = TokenPreset.options.join(', ')
    throw usageFailure(`Say what it may do: --preset (${presets}), or --permission in its place.`)
  }
  const client = await openClient(cli)
  const projects = await Promise.all(project.map((id) => client.call('getProject', { id })))
  const answer = await client.call('createUserToken', {
    label,
    expiresInDays: Number(days),
    ...(preset !== undefined && { preset }),
    // The service knows the permissions and names one that it does not know.
    ...(permission.length > 0 && { permissions: permission as TokenInput['permissions'] }),
    ...(projects.length > 0 && { projectIds: projects.map((one) => one.project.id) }),
  })
  say(cli, 'It is shown this once: keep it in a file with mode 0600.')
  await print(cli, answer, () => answer.token)
}

type Revoke = 'revokeUserToken' | 'revokeWorkspaceToken'

async function revoke(cli: Cli, id: string, operation: Revoke): Promise<void> {
  await (await openClient(cli)).call(operation, { id })
  await print(cli, { revoked: id }, () => `revoked ${id}`)
}

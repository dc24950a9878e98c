import { TokenPreset, permissions } from '@svc/contracts/permissions'
import type { RouteRequest } from '@svc/contracts/rest'
import type { Client } from '@svc/client/client'
import type { UserToken } from '@svc/contracts/user-token'
import type { Command } from 'commander'
import { type Cli, openClient, print, say } from '../cli.ts'
import { appendTo, oneOf, someOf } from '../choices.ts'

type TokenInput = RouteRequest<'createUserToken'>

export function define(command: Command, cli: Cli): void {
  command.addHelpText(
    'after',
    '\nExamples:\n  svc tokens list\n  svc tokens create laptop --preset runner',
  )
  command
    .command('list')
    .description('list your tokens; none is shown whole')
    .addHelpText('after', '\nExamples:\n  svc tokens list')
    .action(() => list(cli))
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
    .addHelpText('after', '\nExamples:\n  svc tokens revoke 0190c9a2-7b1e-7c4e-9d55-3f1f6f3a2b10')
    .action((id: string) => revoke(cli, id))
}

interface CreateOptions {
  preset?: TokenInput['preset']
  permission: string[]
  project: string[]
  days: string
}

async function list(cli: Cli): Promise<void> {
  const answer = { userTokens: await allTokens(await openClient(cli)) }
  const { table } = await import('../output/table.ts')
  const rows = answer.userTokens.map((token) => [
    token.id,
    token.label,
    token.preset ?? token.permissions.join(' '),
    token.revokedAt ? 'revoked' : token.expiresAt,
    token.lastUsedAt,
  ])
  const columns = ['TOKEN', 'LABEL', 'MAY', 'UNTIL', 'LAST USED']
  await print(cli, answer, () => table(columns, rows, cli.stdout))
}

/** Every page: whoever looks for a token to revoke must not miss one. */
async function allTokens(client: Client): Promise<UserToken[]> {
  const tokens: UserToken[] = []
  let cursor: string | undefined
  do {
    const page = await client.call('listUserTokens', { limit: 200, ...(cursor && { cursor }) })
    tokens.push(...page.userTokens)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return tokens
}

async function create(cli: Cli, label: string, options: CreateOptions): Promise<void> {
  const { preset, permission, project, days } = options
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

async function revoke(cli: Cli, id: string): Promise<void> {
  await (await openClient(cli)).call('revokeUserToken', { id })
  await print(cli, { revoked: id }, () => `revoked ${id}`)
}

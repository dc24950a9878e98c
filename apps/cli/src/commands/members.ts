import { describeRemoval, describeReset } from '@svc/contracts/held-access'
import { Role } from '@svc/contracts/permissions'
import { Argument, type Command } from 'commander'
import { type Cli, openClient, print, say } from '../cli.ts'
import { idOfMember, membersOf } from '../member-ref.ts'
import { localTime } from '../output/local-time.ts'

const memberArgument = [
  '<member>',
  'e-mail address or UUID, as svc members list shows them',
] as const
const example = 'anna@example.com'

export function define(command: Command, cli: Cli): void {
  command.addHelpText(
    'after',
    `\nExamples:\n  svc members list\n  svc members role ${example} admin\n  svc members remove ${example}`,
  )
  command
    .command('list')
    .description('list who is in the workspace, with the role of each')
    .addHelpText('after', '\nExamples:\n  svc members list\n  svc members list --json')
    .action(() => list(cli))
  command
    .command('role')
    .description('change the role of a member; it counts from their next call on')
    .argument(...memberArgument)
    .addArgument(new Argument('<role>', 'what they are from now on').choices(Role.options))
    .addHelpText('after', `\nExamples:\n  svc members role ${example} admin`)
    .action((member: string, role: Role) => changeRole(cli, member, role))
  command
    .command('remove')
    .description('remove a member; all of their tokens here end at once')
    .argument(...memberArgument)
    .addHelpText('after', `\nExamples:\n  svc members remove ${example}`)
    .action((member: string) => remove(cli, member))
  command
    .command('access')
    .description('show what ends with the membership of somebody')
    .argument(...memberArgument)
    .addHelpText('after', `\nExamples:\n  svc members access ${example}`)
    .action((member: string) => access(cli, member))
  command
    .command('leave')
    .description('leave the workspace; your tokens there end, this one too')
    .argument('<workspace>', 'its slug, as svc workspace show prints it')
    .addHelpText('after', '\nExamples:\n  svc members leave acme')
    .action((workspace: string) => leave(cli, workspace))
  command
    .command('reset-link')
    .description('print a link that resets a member’s account, once, and what ends by it')
    .argument(...memberArgument)
    .addHelpText('after', `\nExamples:\n  svc members reset-link ${example}`)
    .action((member: string) => resetLink(cli, member))
}

async function list(cli: Cli): Promise<void> {
  const answer = { members: await membersOf(await openClient(cli)) }
  const { table } = await import('../output/table.ts')
  const rows = answer.members.map(({ email, name, role, joinedAt, id }) => {
    return [email, name, role, joinedAt, id]
  })
  const columns = ['MEMBER', 'NAME', 'ROLE', 'SINCE', 'ID']
  await print(cli, answer, () => table(columns, rows, cli.stdout))
}

async function changeRole(cli: Cli, member: string, role: Role): Promise<void> {
  const client = await openClient(cli)
  const answer = await client.call('updateMember', { id: await idOfMember(client, member), role })
  await print(cli, answer, () => `${answer.member.email} is ${answer.member.role} now`)
}

async function remove(cli: Cli, member: string): Promise<void> {
  const client = await openClient(cli)
  const id = await idOfMember(client, member)
  await client.call('removeMember', { id })
  await print(cli, { removed: id }, () => `removed ${member}`)
}

async function access(cli: Cli, member: string): Promise<void> {
  const client = await openClient(cli)
  const answer = await client.call('getMemberAccess', { id: await idOfMember(client, member) })
  await print(cli, answer, () => describeRemoval(member, answer.ends))
}

async function leave(cli: Cli, workspace: string): Promise<void> {
  await (await openClient(cli)).call('leaveWorkspace', { workspace })
  await print(cli, { left: workspace }, () => `left ${workspace}`)
}

async function resetLink(cli: Cli, member: string): Promise<void> {
  const client = await openClient(cli)
  const answer = await client.call('createResetLink', { id: await idOfMember(client, member) })
  say(cli, describeReset(member, answer.ends))
  say(
    cli,
    `It is shown this once and good until ${localTime(answer.expiresAt)}: hand it to nobody else.`,
  )
  await print(cli, answer, () => answer.link)
}

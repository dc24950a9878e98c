import type { Project } from '@svc/contracts/project'
import type { Command } from 'commander'
import { type Cli, openClient, print } from '../cli.ts'
import { type Switch, onOrOff } from '../choices.ts'
import { defineLaunchSettings } from './launch-settings.ts'
import { defineStatuses } from './statuses.ts'

export function define(command: Command, cli: Cli): void {
  command.addHelpText('after', '\nExamples:\n  svc projects list\n  svc projects show web')
  command
    .command('list')
    .description('list the projects you can read')
    .addHelpText('after', '\nExamples:\n  svc projects list\n  svc projects list --json')
    .action(() => list(cli))
  command
    .command('show')
    .description('show a project with its statuses and resources')
    .argument('<project>', 'slug or UUID')
    .addHelpText('after', '\nExamples:\n  svc projects show web')
    .action((project: string) => show(cli, project))
  command
    .command('create')
    .description('create a project')
    .argument('<name>')
    .option('--slug <slug>', 'first part of every display id; made from the name when left out')
    .option('--default-branch <branch>', 'branch that work starts from', 'main')
    .addHelpText('after', '\nExamples:\n  svc projects create "Web shop" --slug web')
    .action((name: string, options: CreateOptions) => create(cli, name, options))
  defineEdit(command, cli)
  defineStatuses(command, cli)
  defineLaunchSettings(command, cli)
}

function defineEdit(group: Command, cli: Cli): void {
  group
    .command('edit')
    .description('change the name of a project, and how its runs use checkouts and time')
    .argument('<project>', 'slug or UUID')
    .option('--name <name>')
    .option('--default-branch <branch>', 'branch that work starts from')
    .addOption(
      onOrOff(
        '--worktrees <on|off>',
        'whether runs work in worktrees; without them they switch the linked checkout and wait for it',
      ),
    )
    .option('--max-minutes <number>', 'how long a run may take; off: as long as it takes')
    .addHelpText(
      'after',
      '\nExamples:\n  svc projects edit web --name "Web shop"\n  svc projects edit web --worktrees off --max-minutes 90',
    )
    .action((project: string, options: EditOptions) => edit(cli, project, options))
}

interface EditOptions {
  name?: string
  defaultBranch?: string
  worktrees?: Switch
  maxMinutes?: string
}

interface CreateOptions {
  slug?: string
  defaultBranch: string
}

async function list(cli: Cli): Promise<void> {
  const answer = await (await openClient(cli)).call('listProjects', {})
  const { table } = await import('../output/table.ts')
  const rows = answer.projects.map((project) => [project.slug, project.name, project.defaultBranch])
  await print(cli, answer, () => table(['SLUG', 'NAME', 'BRANCH'], rows, cli.stdout))
}

async function show(cli: Cli, id: string): Promise<void> {
  const client = await openClient(cli)
  const [{ project, statuses }, { resources }] = await Promise.all([
    client.call('listProjectStatuses', { id }),
    client.call('listProjectResources', { id }),
  ])
  const { table } = await import('../output/table.ts')
  const statusRows = statuses.map((status) => [status.label, status.type])
  const resourceRows = resources.map((resource) => [
    resource.resourceKey,
    resource.permission,
    resource.primary ? 'primary' : '',
    resource.state,
  ])
  await print(cli, { project, statuses, resources }, async () =>
    [
      await describeProject(cli, project),
      table(['STATUS', 'TYPE'], statusRows, cli.stdout),
      table(['RESOURCE', 'RIGHTS', '', 'STATE'], resourceRows, cli.stdout),
    ].join('\n\n'),
  )
}

async function create(cli: Cli, name: string, options: CreateOptions): Promise<void> {
  const answer = await (await openClient(cli)).call('createProject', { name, ...options })
  await print(cli, answer, () => describeProject(cli, answer.project))
}

async function edit(cli: Cli, id: string, options: EditOptions): Promise<void> {
  const { name, defaultBranch, worktrees, maxMinutes } = options
  const answer = await (
    await openClient(cli)
  ).call('updateProject', {
    id,
    ...(name !== undefined && { name }),
    ...(defaultBranch !== undefined && { defaultBranch }),
    ...(worktrees !== undefined && { useWorktrees: worktrees === 'on' }),
    ...(maxMinutes !== undefined && {
      maxRuntimeMinutes: maxMinutes === 'off' ? null : Number(maxMinutes),
    }),
  })
  await print(cli, answer, () => describeProject(cli, answer.project))
}

async function describeProject(cli: Cli, project: Project): Promise<string> {
  const { details } = await import('../output/table.ts')
  const { slug, name, defaultBranch, useWorktrees, maxRuntimeMinutes, id } = project
  const fields = {
    project: slug,
    name,
    'default branch': defaultBranch,
    worktrees: useWorktrees ? 'on' : 'off',
    'minutes at most': maxRuntimeMinutes,
    id,
  }
  return details(fields, cli.stdout)
}

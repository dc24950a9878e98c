import type { Project } from '@svc/contracts/project'
import type { Command } from 'commander'
import { type Cli, openClient, print } from '../cli.ts'
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
  defineStatuses(command, cli)
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

async function describeProject(cli: Cli, project: Project): Promise<string> {
  const { details } = await import('../output/table.ts')
  const { slug, name, defaultBranch, id } = project
  return details({ project: slug, name, 'default branch': defaultBranch, id }, cli.stdout)
}

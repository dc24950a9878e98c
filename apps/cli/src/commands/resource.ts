import { realpathSync } from 'node:fs'
import { basename } from 'node:path'
import type { Command } from 'commander'
import { type Cli, openClient, print, say } from '../cli.ts'
import { usageFailure } from '../output/failure.ts'
import { runnerHomeOf } from '../runner-home.ts'

interface LinkOptions {
  key?: string
  ro?: true
  primary?: true
  runnerHome?: string
}

export function define(command: Command, cli: Cli): void {
  command.addHelpText('after', '\nExamples:\n  svc resource link web ~/code/web')
  command
    .command('link')
    .description('link a checkout on this machine to a project, for its runner to work in')
    .argument('<project>', 'slug or UUID')
    .argument('<path>', 'top folder of a git repository')
    .option('--key <key>', "the resource's name in the project; the folder's name when left out")
    .option('--ro', 'agents may read it; no run is started in it')
    .option('--primary', 'use it where a launch names no resource')
    .option(
      '--runner-home <path>',
      'folder of the runner; else SVC_RUNNER_HOME, else ~/.svc/runner',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  svc resource link web ~/code/web --primary\n  svc resource link web ~/code/design --key design --ro',
    )
    .action((project: string, path: string, options: LinkOptions) =>
      link(cli, project, path, options),
    )
}

async function link(cli: Cli, id: string, given: string, options: LinkOptions): Promise<void> {
  const { linkCheckout } = await import('@svc/runner/files/resources')
  const path = await checkoutAt(given)
  const home = await runnerHomeOf(cli, options.runnerHome)
  const client = await openClient(cli)
  const { project } = await client.call('getProject', { id })
  const { resource } = await client.call('linkProjectResource', {
    id,
    resourceKey: options.key ?? keyFrom(path),
    permission: options.ro ? 'ro' : 'rw',
    ...(options.primary && { primary: true }),
  })
  const { resourceKey } = resource
  linkCheckout(home, { projectId: project.id, projectSlug: project.slug, resourceKey, path })
  const { details } = await import('../output/table.ts')
  const fields = {
    project: project.slug,
    resource: resourceKey,
    rights: resource.permission,
    primary: resource.primary,
    path,
    'runner home': home.folder,
  }
  await print(cli, { resource, path }, () => details(fields, cli.stdout))
  if (resource.state !== 'connected') {
    say(cli, 'It is connected once a runner with this home has reported: svc runner start')
  }
}

async function checkoutAt(given: string): Promise<string> {
  const { checkoutState } = await import('@svc/runner/files/resources')
  const state = checkoutState(given)
  if (state === 'usable') return realpathSync(given)
  const problem = {
    missing: 'does not exist: check the path',
    unreadable: 'cannot be read and written by you: check its owner',
    not_a_repository: 'is not the top folder of a git repository: name that, or run git init in it',
  }[state]
  throw usageFailure(`${given} ${problem}.`)
}

function keyFrom(path: string): string {
  const key = basename(path)
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+/, '')
  if (key === '') throw usageFailure('The folder has no name that can be a key: give --key.')
  return key.slice(0, 63)
}

import { realpathSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { isServiceError } from '@svc/contracts/errors'
import type { ListedResource } from '@svc/contracts/listed-resource'
import type { Command } from 'commander'
import { type Cli, openClient, print, say } from '../cli.ts'
import { usageFailure } from '../output/failure.ts'
import { oneLine } from '../output/terminal.ts'
import { type HomeOption, homeOption, runnerHomeOf } from '../runner-home.ts'

interface LinkOptions extends HomeOption {
  key?: string
  base?: string
  ro?: true
  primary?: true
  /** False: none from now on. */
  cloneUrl?: string | false
}

type Client = Awaited<ReturnType<typeof openClient>>
type Home = Awaited<ReturnType<typeof runnerHomeOf>>

export function define(command: Command, cli: Cli): void {
  command.addHelpText(
    'after',
    '\nExamples:\n  svc resource link web ~/code/web\n  svc resource list web',
  )
  withHome(command.command('link'))
    .description('link a checkout on this machine to a project, or say where runners clone it from')
    .argument('<project>', 'slug or UUID')
    .argument(
      '[path]',
      'top folder of a git repository; left out, nothing is linked on this machine',
    )
    .option('--key <key>', "the resource's name in the project; the folder's name when left out")
    .option('--base <branch>', "what branches are cut from; else origin's default, else this one")
    .option('--ro', 'agents may read it; no run is started in it')
    .option('--primary', 'use it where a launch names no resource')
    .option('--clone-url <url>', 'https or ssh; what an ephemeral runner clones it from')
    .option('--no-clone-url', 'ephemeral runners clone it no more')
    .addHelpText(
      'after',
      '\nExamples:\n  svc resource link web ~/code/web --primary\n  svc resource link web . --base develop\n  svc resource link web ~/code/design --key design --ro\n  svc resource link web --key web --clone-url git@git.example.com:acme/web.git',
    )
    .action((project: string, path: string | undefined, options: LinkOptions) =>
      path === undefined ? register(cli, project, options) : link(cli, project, path, options),
    )
  withHome(command.command('list'))
    .description('list the resources of a project, and where they lie on this machine')
    .argument('<project>', 'slug or UUID')
    .addHelpText('after', '\nExamples:\n  svc resource list web')
    .action((project: string, options: HomeOption) => list(cli, project, options))
  withHome(command.command('unlink'))
    .description('take a resource from a project; the folder stays as it is')
    .argument('<project>', 'slug or UUID')
    .argument('<resource>', 'key of the resource, as listed')
    .option('--here', 'only on this machine; others that have it go on')
    .addHelpText(
      'after',
      '\nExamples:\n  svc resource unlink web design\n  svc resource unlink web design --here',
    )
    .action((project: string, key: string, options: HomeOption & { here?: true }) =>
      unlink(cli, project, key, options),
    )
}

function withHome(command: Command): Command {
  return command.option(...homeOption)
}

async function link(cli: Cli, id: string, given: string, options: LinkOptions): Promise<void> {
  const { linkCheckout } = await import('@svc/runner/files/resources')
  const path = await checkoutAt(given)
  const home = await runnerHomeOf(cli, options.runnerHome)
  const client = await openClient(cli)
  const { project } = await client.call('getProject', { id })
  const resourceKey = options.key ?? keyFrom(path)
  const checkout = { projectId: project.id, projectSlug: project.slug, resourceKey, path }
  await refuseSameFolder(home, checkout)
  const defaultBranch = await baseFor(client, id, checkout, options.base)
  const { resource } = await client.call('linkProjectResource', {
    id,
    resourceKey,
    permission: options.ro ? 'ro' : 'rw',
    defaultBranch,
    ...chosen(options),
  })
  linkCheckout(home, checkout)
  const { details } = await import('../output/table.ts')
  const fields = {
    project: project.slug,
    resource: resourceKey,
    rights: resource.permission,
    primary: resource.primary,
    base: defaultBranch,
    ...cloneUrlOf(resource),
    path,
    'runner home': home.folder,
  }
  await print(cli, { resource, path }, () => details(fields, cli.stdout))
  if (resource.state !== 'connected') {
    say(
      cli,
      'It is connected once a runner with this home has reported. Where none runs: svc runner start',
    )
  }
}

/** Without a checkout here: its runners are others, or clone it. */
async function register(cli: Cli, id: string, options: LinkOptions): Promise<void> {
  const { key, base, cloneUrl } = options
  if (key === undefined || cloneUrl === undefined) {
    throw usageFailure(
      'Name the folder that is linked; or give --key and --clone-url, and nothing is linked here.',
    )
  }
  const client = await openClient(cli)
  const { project } = await client.call('getProject', { id })
  const { resource } = await client.call('linkProjectResource', {
    id,
    resourceKey: key,
    permission: options.ro ? 'ro' : 'rw',
    ...(base !== undefined && { defaultBranch: base }),
    ...chosen(options),
  })
  const { details } = await import('../output/table.ts')
  const fields = {
    project: project.slug,
    resource: key,
    rights: resource.permission,
    primary: resource.primary,
    base: resource.defaultBranch ?? project.defaultBranch,
    ...cloneUrlOf(resource),
  }
  await print(cli, { resource }, () => details(fields, cli.stdout))
}

function chosen({ primary, cloneUrl }: LinkOptions) {
  return {
    ...(primary && { primary }),
    ...(cloneUrl !== undefined && { cloneUrl: cloneUrl || null }),
  }
}

function cloneUrlOf({ cloneUrl }: { cloneUrl?: string | undefined }) {
  return cloneUrl === undefined ? {} : { 'cloned from': cloneUrl }
}

interface Checkout {
  projectId: string
  projectSlug: string
  resourceKey: string
  path: string
}

async function refuseSameFolder(home: Home, checkout: Checkout): Promise<void> {
  const { findSameFolder } = await import('@svc/runner/files/resources')
  const other = findSameFolder(home, checkout)
  if (other === undefined) return
  const { projectSlug, resourceKey } = other
  throw usageFailure(
    `${checkout.path} is linked as ${resourceKey} already: use that, or first run svc resource unlink ${projectSlug} ${resourceKey}.`,
  )
}

/** The branch that was named, else the one that the resource has, else what the repository itself says. */
async function baseFor(
  client: Client,
  id: string,
  { resourceKey, path }: Checkout,
  named: string | undefined,
): Promise<string> {
  const { findDefaultBranch, hasBranch } = await import('@svc/runner/git/default-branch')
  const { resources } = await client.call('listProjectResources', { id })
  const known = resources.find((one) => one.resourceKey === resourceKey)?.defaultBranch
  const wanted = named ?? known
  if (wanted === undefined) {
    const found = await findDefaultBranch(path)
    if (found !== undefined) return found
    throw usageFailure(`${path} is on no branch: name the one to start from with --base.`)
  }
  if (await hasBranch(path, wanted)) return wanted
  throw usageFailure(
    `${path} has no branch ${wanted}, from which branches of ${resourceKey} are cut: create it there, or name another with --base.`,
  )
}

async function list(cli: Cli, id: string, options: HomeOption): Promise<void> {
  const { readLinks } = await import('@svc/runner/files/resources')
  const home = await runnerHomeOf(cli, options.runnerHome)
  const client = await openClient(cli)
  const { project } = await client.call('getProject', { id })
  const { resources } = await client.call('listProjectResources', { id })
  const links = readLinks(home).filter((one) => one.projectId === project.id)
  const pathOf = (key: string) => links.find((one) => one.resourceKey === key)?.path ?? null
  const listed = resources.map((one) => ({
    ...one,
    defaultBranch: one.defaultBranch ?? project.defaultBranch,
    path: pathOf(one.resourceKey),
  }))
  const { table } = await import('../output/table.ts')
  const rows = listed.map((one) => [
    one.resourceKey,
    one.permission,
    one.primary ? 'yes' : '',
    one.defaultBranch,
    one.state,
    one.checkouts.map(describeCheckout).join(', '),
    one.cloneUrl ?? '',
    one.path,
  ])
  const columns = [
    'RESOURCE',
    'RIGHTS',
    'PRIMARY',
    'BASE',
    'STATE',
    'RUNNERS',
    'CLONED FROM',
    'PATH HERE',
  ]
  await print(cli, { resources: listed }, () => table(columns, rows, cli.stdout))
}

/** Why runs are not started in it stands behind the name of its runner. */
function describeCheckout({ runner, state }: ListedResource['checkouts'][number]): string {
  const hindrances = [
    ...(state === 'usable' ? [] : [state.replaceAll('_', ' ')]),
    ...(runner.state === 'connected' ? [] : ['away']),
  ]
  return hindrances.length === 0 ? runner.label : `${runner.label} (${hindrances.join(', ')})`
}

async function unlink(cli: Cli, id: string, key: string, options: HomeOption & { here?: true }) {
  const { unlinkCheckout } = await import('@svc/runner/files/resources')
  const home = await runnerHomeOf(cli, options.runnerHome)
  const client = await openClient(cli)
  const { project } = await client.call('getProject', { id })
  const refusal = options.here ? undefined : await unlinkAtService(client, id, key)
  unlinkCheckout(home, { projectId: project.id, resourceKey: key })
  if (refusal !== undefined) {
    say(cli, `warning: Only unlinked on this machine: ${oneLine(refusal)}`)
  }
  const everywhere = !options.here && refusal === undefined
  const { details } = await import('../output/table.ts')
  const where = everywhere ? 'everywhere' : 'on this machine'
  await print(cli, { resourceKey: key, everywhere }, () =>
    details({ project: project.slug, resource: key, unlinked: where }, cli.stdout),
  )
}

/** Why the service keeps it for somebody who may not change the project; any other refusal ends the command. */
async function unlinkAtService(client: Client, id: string, key: string) {
  try {
    await client.call('unlinkProjectResource', { id, key })
    return undefined
  } catch (error) {
    if (isServiceError(error) && error.code === 'forbidden') return error.message
    throw error
  }
}

async function checkoutAt(given: string): Promise<string> {
  const { checkoutState } = await import('@svc/runner/files/resources')
  const state = checkoutState(given)
  if (state === 'usable') return realpathSync(given)
  if (state === 'missing') throw usageFailure(`${given} does not exist: check the path.`)
  if (state === 'unreadable') {
    throw usageFailure(`${given} cannot be read and written by you: check its owner.`)
  }
  const { gitIfPossible } = await import('@svc/runner/git/git')
  const isFolder = statSync(given).isDirectory()
  const top = isFolder && (await gitIfPossible(given, ['rev-parse', '--show-toplevel']))?.trim()
  if (top) throw usageFailure(`${given} lies in the git repository ${top}: name that.`)
  const inside = isFolder && (await gitIfPossible(given, ['rev-parse', '--is-inside-git-dir']))
  const why = inside
    ? 'is a git repository without files to work on: clone it, and name the clone'
    : 'is no git repository: run git init in it'
  throw usageFailure(`${given} ${why}.`)
}

function keyFrom(path: string): string {
  const key = basename(path)
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+/, '')
  if (key === '') throw usageFailure('The folder has no name that can be a key: give --key.')
  return key.slice(0, 63)
}

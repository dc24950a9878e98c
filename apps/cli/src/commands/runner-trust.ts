import { type LaunchSettings, addsNothing, launchSettingsOf } from '@svc/contracts/launch-settings'
import { isDeepStrictEqual } from 'node:util'
import type { Command } from 'commander'
import { type Cli, credentialsOf, openClient, print, say } from '../cli.ts'
import { checkedUrl } from '../credentials.ts'
import { exitCode } from '../output/exit-codes.ts'
import { CommandFailure, usageFailure } from '../output/failure.ts'
import { runnerHomeOf } from '../runner-home.ts'

type Client = Awaited<ReturnType<typeof openClient>>

interface TrustOptions {
  yes?: true
  list?: true
  revoke?: true
  runnerHome?: string
  /** The address that its runner calls. */
  service?: string
}

/** `svc runner trust`; the option that names the home is added by who defines it. */
export function defineTrust(command: Command, cli: Cli): void {
  command
    .description("let this machine's runner start what a project adds to its launches")
    .argument('[project]', 'slug or UUID')
    .option('--yes', 'trust them without being asked')
    .option('--list', 'show the projects that are trusted here')
    .option('--revoke', 'trust that project no more')
    .option(
      '--service <url>',
      'address by which that runner reaches the service, for a trust.json that is shipped to where it is another one than here',
    )
    .addHelpText(
      'after',
      '\nWithout trust a runner refuses launches that have a command, a flag or a variable of their project, push branches, or give their agent more than the rights `work`; and an ephemeral one clones from nowhere. Each change of these settings has to be trusted anew. What is trusted lies in trust.json of the runner home; a runner reads it for each run.\n\nExamples:\n  svc runner trust web\n  svc runner trust web --yes\n  svc runner trust --list\n  svc runner trust web --revoke\n  svc runner trust web --runner-home ./pods --service http://api.svc.svc:4600',
    )
    .action((project: string | undefined, options: TrustOptions) => {
      if (options.list) return list(cli, options)
      if (project === undefined) throw usageFailure('Name the project, or give --list.')
      return options.revoke ? revoke(cli, project, options) : trust(cli, project, options)
    })
}

async function trust(cli: Cli, id: string, options: TrustOptions): Promise<void> {
  const { yes, runnerHome } = options
  const { digestOf, findTrusted, trustSettings } = await import('@svc/runner/files/trust-file')
  const home = await runnerHomeOf(cli, runnerHome)
  const service = await serviceOf(cli, options)
  const client = await openClient(cli)
  const { project } = await client.call('getProject', { id })
  const answer = await client.call('getLaunchSettings', { id })
  const settings = launchSettingsOf(answer.launchSettings)
  const cloneUrls = await cloneUrlsOf(client, id)
  const trusting = { service, projectId: project.id, projectSlug: project.slug }
  const before = findTrusted(home, trusting)
  const digest = digestOf(settings)
  const isNews = before?.digest !== digest || !isDeepStrictEqual(before.cloneUrls ?? {}, cloneUrls)
  // rights below the default add nothing either, and once they are trusted, more than them is not
  const isNothing =
    addsNothing(settings) &&
    settings.agentRights === undefined &&
    Object.keys(cloneUrls).length === 0
  if (isNews && before === undefined && isNothing) {
    const message = `Project ${project.slug} adds nothing to its launches: there is nothing to trust.`
    return print(cli, { ...trusting, digest, changed: false }, () => message)
  }
  if (isNews) {
    await show(cli, trusting, settings, before?.settings)
    showCloneUrls(cli, cloneUrls, before?.cloneUrls ?? {})
    if (!yes) await requireConsent(cli)
    trustSettings(home, { ...trusting, settings, cloneUrls })
  }
  await print(cli, { ...trusting, digest, changed: isNews }, () =>
    isNews
      ? `The runner of ${home.folder} trusts these launch settings of ${project.slug} from now on.`
      : `The runner of ${home.folder} trusts the launch settings of ${project.slug} already. Where another runner of this machine refuses them, name its folder with --runner-home.`,
  )
}

async function show(
  cli: Cli,
  { service, projectSlug }: { service: string; projectSlug: string },
  now: LaunchSettings,
  before: LaunchSettings | undefined,
): Promise<void> {
  const { describeChange } = await import('../output/launch-settings-change.ts')
  say(cli, `Project ${projectSlug} at ${service} has these launch settings:\n`)
  say(cli, describeChange(now, before))
}

type CloneUrls = Readonly<Record<string, string>>

async function cloneUrlsOf(client: Client, id: string): Promise<Record<string, string>> {
  const { resources } = await client.call('listProjectResources', { id })
  return Object.fromEntries(
    resources.flatMap(({ resourceKey, cloneUrl }) =>
      cloneUrl === undefined ? [] : [[resourceKey, cloneUrl]],
    ),
  )
}

function showCloneUrls(cli: Cli, now: CloneUrls, before: CloneUrls): void {
  const keys = [...new Set([...Object.keys(now), ...Object.keys(before)])].toSorted()
  if (keys.length === 0) return
  const lines = keys.flatMap((key) => {
    const [has, had] = [now[key], before[key]].map((url) => url && `${key} is cloned from ${url}`)
    if (has === had) return [`  ${has}`]
    return [...(had ? [`- ${had}`] : []), ...(has ? [`+ ${has}`] : [])]
  })
  say(cli, `\n${lines.join('\n')}\n`)
  say(
    cli,
    'An ephemeral runner clones from there and pushes to there, with its credentials for Git.',
  )
}

/** Trust is by the address that the runner itself calls. */
async function serviceOf(cli: Cli, { service }: TrustOptions): Promise<string> {
  return service === undefined ? (await credentialsOf(cli)).baseUrl : checkedUrl(service)
}

async function requireConsent(cli: Cli): Promise<void> {
  if (cli.ask === undefined) {
    throw usageFailure('There is no terminal to ask at: read the settings above, then give --yes.')
  }
  const answer = await cli.ask('\nLet the runner of this machine use them? (y/N) ')
  if (/^y(es)?$/i.test(answer.trim())) return
  throw new CommandFailure('not_trusted', 'Nothing was changed.', exitCode.unexpected)
}

async function list(cli: Cli, { runnerHome }: TrustOptions): Promise<void> {
  const { listTrusted } = await import('@svc/runner/files/trust-file')
  const { table } = await import('../output/table.ts')
  const trusted = listTrusted(await runnerHomeOf(cli, runnerHome)).map(
    ({ settings: _values, ...trusted }) => trusted,
  )
  const rows = trusted.map((one) => [one.projectSlug, one.service, one.digest])
  await print(cli, { trusted }, () => table(['PROJECT', 'SERVICE', 'DIGEST'], rows, cli.stdout))
}

async function revoke(cli: Cli, id: string, options: TrustOptions): Promise<void> {
  const { addressOf, listTrusted, revokeTrust } = await import('@svc/runner/files/trust-file')
  const home = await runnerHomeOf(cli, options.runnerHome)
  const service = await serviceOf(cli, options)
  // by what the file says, so that a project that is gone can be revoked too
  const found = listTrusted(home).filter((one) => one.projectSlug === id || one.projectId === id)
  const here = found.find((one) => addressOf(one) === addressOf({ service }))
  if (here === undefined) {
    throw new CommandFailure(
      'not_found',
      `Nothing is trusted here for ${id}. See what is: svc runner trust --list`,
      exitCode.notFound,
    )
  }
  revokeTrust(home, here)
  await print(cli, { revoked: here.projectId }, () => `revoked ${here.projectSlug}`)
}

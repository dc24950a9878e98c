import {
  type LaunchSettings,
  type ProjectLaunchSettings,
  addsNothing,
  launchSettingsOf,
} from '@svc/contracts/launch-settings'
import { limits } from '@svc/contracts/limits'
import type { RouteRequest } from '@svc/contracts/rest'
import { Rights, defaultRights, rightsInWords } from '@svc/contracts/rights'
import type { Command } from 'commander'
import { type Cli, credentialsOf, openClient, print, say } from '../cli.ts'
import { type Switch, appendTo, onOrOff } from '../choices.ts'
import { usageFailure } from '../output/failure.ts'
import { readStructured, structuredOption } from '../structured-options.ts'

/** `svc projects launch-settings …` */
export function defineLaunchSettings(projects: Command, cli: Cli): void {
  const group = projects
    .command('launch-settings')
    .description('show and set what the runs of a project are started with')
    .addHelpText(
      'after',
      '\nExamples:\n  svc projects launch-settings show web\n  svc projects launch-settings set web --env NODE_ENV=test',
    )
  group
    .command('show')
    .description('show the commands, flags and variables of a project; values with --json alone')
    .argument('<project>', 'slug or UUID')
    .addHelpText('after', '\nExamples:\n  svc projects launch-settings show web')
    .action((project: string) => show(cli, project))
  defineSet(group, cli)
}

function defineSet(group: Command, cli: Cli): void {
  const command = group
    .command('set')
    .description('set some of them; what is not named stays')
    .argument('<project>', 'slug or UUID')
    .option('--pre-command <words>', 'in front of the agent; none when empty')
    .option('--env <NAME=value>', 'a variable of the agent; may be repeated', appendTo, [])
    .option(
      '--allow-command <words>',
      'what agents may run without being asked, such as "npm test"; may be repeated',
      appendTo,
      [],
    )
    .option(
      '--disallow-command <words>',
      'one that they may no more; may be repeated',
      appendTo,
      [],
    )
    .option(
      '--rights <agent=rights>',
      `what an agent may do without being asked: ${Rights.options.join(', ')}; may be repeated`,
      appendTo,
      [],
    )
    .option(
      '--check <name=command>',
      'what has to pass before a delivery, such as "test=npm test"; may be repeated',
      appendTo,
      [],
    )
    .option('--remove-check <name>', 'one that is no more; may be repeated', appendTo, [])
    .option('--remove-env <NAME>', 'one that it has no more; may be repeated', appendTo, [])
    .addOption(
      onOrOff('--push-branches <on|off>', 'whether runners bring the branches of runs to origin'),
    )
    .option(
      '--dry-run <agent>',
      'show what a launch with this agent would be made with, before and after, and save nothing',
    )
  structuredOption(command, 'pre-launch-commands', 'a list of commands to run before the agent')
  structuredOption(
    command,
    'checks',
    'all checks before a delivery: {"test": {command, timeoutSeconds}}',
  )
  structuredOption(
    command,
    'agents',
    'settings by agent: {"claude": {model, reasoningEffort, rights, flags}}',
  )
    .addHelpText(
      'after',
      `${rightsHelp}\nExamples:\n  svc projects launch-settings set web --env NODE_ENV=test --remove-env DEBUG\n  svc projects launch-settings set web --allow-command "npm test" --allow-command "npm run lint"\n  svc projects launch-settings set web --rights claude=work --rights codex=read\n  svc projects launch-settings set web --check "test=npm test"\n  svc projects launch-settings set web --remove-check test\n  svc projects launch-settings set web --pre-command "nvm exec" --agents-json '{"claude":{"model":"opus"}}'\n  svc projects launch-settings set web --pre-command "" --pre-launch-commands-json "[]"\n  svc projects launch-settings set web --rights claude=all --dry-run claude`,
    )
    .action((project: string, options: SetOptions) => set(cli, project, options))
}

const rightsHelp = `
An agent has the rights \`work\` where a project gives it no others. It may, with
${Rights.options.map((rights) => `  ${rights}: ${rightsInWords[rights]}`).join('\n')}
A runner may give less: see docs/agents.md.
`

interface SetOptions extends Record<string, unknown> {
  preCommand?: string
  env: string[]
  removeEnv: string[]
  allowCommand: string[]
  disallowCommand: string[]
  rights: string[]
  check: string[]
  removeCheck: string[]
  pushBranches?: Switch
  dryRun?: string
}

type Change = Omit<RouteRequest<'updateLaunchSettings'>, 'id'>

async function show(cli: Cli, id: string): Promise<void> {
  const answer = await (await openClient(cli)).call('getLaunchSettings', { id })
  await print(cli, answer, () => describe(cli, answer.launchSettings))
}

async function set(cli: Cli, id: string, options: SetOptions): Promise<void> {
  const client = await openClient(cli)
  const { launchSettings } = await client.call('getLaunchSettings', { id })
  const change = await changeOf(options, launchSettings)
  const { dryRun: agent } = options
  if (agent !== undefined) {
    const { describePreview } = await import('../output/launch-settings-preview.ts')
    const preview = await client.call('previewLaunchSettings', { id, agent, ...change })
    return print(cli, preview, () => describePreview(preview, id))
  }
  const { revision: expectedRevision } = launchSettings
  const answer = await client.call('updateLaunchSettings', { id, expectedRevision, ...change })
  await print(cli, answer, () => describe(cli, answer.launchSettings))
  const settings = launchSettingsOf(answer.launchSettings)
  if (addsNothing(settings)) return
  const which = (await isTrustedHere(cli, id, settings))
    ? 'The runner of this machine trusts this. Any other'
    : 'A runner'
  say(cli, `${which} refuses the runs until its machine trusts this: svc runner trust ${id}`)
}

/** As where the service runs on this machine, and its owner set them. A file that cannot be read trusts nothing. */
async function isTrustedHere(cli: Cli, project: string, settings: LaunchSettings) {
  const { addressOf, digestOf, listTrusted } = await import('@svc/runner/files/trust-file')
  const { runnerHomeToRead } = await import('../runner-home.ts')
  const { baseUrl } = await credentialsOf(cli)
  const [service, digest] = [addressOf({ service: baseUrl }), digestOf(settings)]
  try {
    return listTrusted(runnerHomeToRead(cli))
      .filter(({ projectId, projectSlug }) => projectId === project || projectSlug === project)
      .some((one) => addressOf(one) === service && one.digest === digest)
  } catch {
    return false
  }
}

async function changeOf(options: SetOptions, now: ProjectLaunchSettings): Promise<Change> {
  const { preCommand, env, removeEnv, allowCommand, disallowCommand, pushBranches } = options
  const { rights } = options
  const preLaunchCommands = await readStructured(options, 'pre-launch-commands')
  const given = await readStructured(options, 'agents')
  if (given !== undefined && rights.length > 0)
    throw usageFailure('Give the rights within the settings by agent, or by --rights: not both.')
  const agents = rights.length > 0 ? withRights(now.agents, rights) : given
  const launchEnvVars = { ...now.launchEnvVars, ...Object.fromEntries(env.map(variableOf)) }
  for (const name of removeEnv) delete launchEnvVars[name]
  const allowed = new Set([...now.allowedCommands, ...allowCommand])
  for (const words of disallowCommand) allowed.delete(words)
  const checks = await checksOf(options, now)
  return {
    ...(preCommand !== undefined && { preCommand: preCommand.trim() === '' ? null : preCommand }),
    ...(env.length + removeEnv.length > 0 && { launchEnvVars }),
    ...(allowCommand.length + disallowCommand.length > 0 && { allowedCommands: [...allowed] }),
    ...(checks && { checks }),
    // the service judges both by the contract and names what is wrong
    ...(preLaunchCommands !== undefined && { preLaunchCommands: preLaunchCommands as string[] }),
    ...(agents !== undefined && { agents: agents as Change['agents'] }),
    ...(pushBranches !== undefined && { pushBranches: pushBranches === 'on' }),
  }
}

function withRights(agents: ProjectLaunchSettings['agents'], given: readonly string[]) {
  const changed = { ...agents }
  for (const text of given) {
    const [, agent, word] = /^([^=]+)=(.*)$/.exec(text) ?? []
    const { data: rights } = Rights.safeParse(word)
    if (agent === undefined || rights === undefined) {
      const known = Rights.options.map((one) => `claude=${one}`).join(', ')
      throw usageFailure(`--rights takes an agent and what it may do, such as ${known}.`)
    }
    changed[agent] = { ...changed[agent], rights }
  }
  return changed
}

/** Those of a list take the place of all; one that is named alone joins them, with the time limit that it had. */
async function checksOf(
  options: SetOptions,
  { checks: now }: ProjectLaunchSettings,
): Promise<Change['checks'] | undefined> {
  const { check, removeCheck } = options
  // the service judges it by the contract and names what is wrong
  const given = (await readStructured(options, 'checks')) as Change['checks'] | undefined
  if (given === undefined && check.length + removeCheck.length === 0) return undefined
  const checks = { ...(given ?? now) }
  for (const [name, command] of check.map((one) => namedOf(one, '--check takes name=command.'))) {
    checks[name] = { ...checks[name], command }
  }
  for (const name of removeCheck) delete checks[name]
  return checks
}

function variableOf(given: string): [name: string, value: string] {
  return namedOf(given, '--env takes NAME=value.')
}

function namedOf(given: string, form: string): [name: string, value: string] {
  const at = given.indexOf('=')
  if (at < 1) throw usageFailure(form)
  return [given.slice(0, at), given.slice(at + 1)]
}

/** A flag that would read as several is shown in quotes. */
function shown(flag: string): string {
  return /[\s"']/.test(flag) ? JSON.stringify(flag) : flag
}

async function describe(cli: Cli, settings: ProjectLaunchSettings): Promise<string> {
  const { details, table } = await import('../output/table.ts')
  const { preCommand, preLaunchCommands, launchEnvVars, agents, pushBranches } = settings
  const { allowedCommands } = settings
  const hasOwn = Object.values(agents).some(({ rights }) => rights != null)
  const head = {
    'in front of the agent': preCommand ?? '-',
    'before the agent': preLaunchCommands.join('; ') || '-',
    variables: Object.keys(launchEnvVars).join(' ') || '-',
    'agents may run': allowedCommands.join(', ') || '-',
    'rights of agents': `${defaultRights} (default)${hasOwn ? ', but for those below' : ''}`,
    ...Object.fromEntries(
      Object.entries(settings.checks).map(([name, { command, timeoutSeconds }]) => [
        `check ${name}`,
        `${command} (${timeoutSeconds ?? limits.checkSeconds} s at most)`,
      ]),
    ),
    'push branches': pushBranches ? 'on' : 'off',
  }
  const rows = Object.entries(agents).map(([agent, { model, reasoningEffort, rights, flags }]) => [
    agent,
    model,
    reasoningEffort,
    rights ?? `${defaultRights} (default)`,
    flags?.map(shown).join(' '),
  ])
  const list = table(['AGENT', 'MODEL', 'EFFORT', 'RIGHTS', 'FLAGS'], rows, cli.stdout)
  return `${details(head, cli.stdout)}${rows.length === 0 ? '' : `\n\n${list}`}`
}

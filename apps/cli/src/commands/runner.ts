import { describeLimit } from '@svc/contracts/agent-limit'
import type { Runner } from '@svc/contracts/runner'
import type { Command } from 'commander'
import { listPrograms } from '@svc/runner/agents/rows'
import { type Cli, openClient, print } from '../cli.ts'
import { onceReached } from '../once-reached.ts'
import { requireRunner } from '../runner-ref.ts'
import { type HomeOption, homeOption, runnerHomeOf } from '../runner-home.ts'
import { type StartOptions, checkStartOptions, withStartOptions } from '../start-options.ts'
import { defineService } from './runner-service.ts'
import { defineAgents } from './runner-agents.ts'
import { defineForget } from './runner-forget.ts'
import { defineTrust } from './runner-trust.ts'

interface RunOptions extends StartOptions {
  leaveRuns?: true
  ephemeral?: true
}

export function define(command: Command, cli: Cli): void {
  command.addHelpText('after', '\nExamples:\n  svc runner start\n  svc runner status')
  withStartOptions(command.command('start'))
    .description('take launches and run their agents on this machine, until Ctrl-C')
    .option(
      '--leave-runs',
      'SIGTERM ends the runner at once and leaves its runs to the next one, as a service manager needs it',
    )
    .addHelpText('after', startHelp)
    .action((options: RunOptions) => start(cli, options, false))
  withStartOptions(command.command('once'))
    .description('wait for one launch, take it, and end after it')
    .option(
      '--ephemeral',
      'the machine is gone after it: clone what is not linked here, push before a delivery counts, and end where none waits within 20 seconds',
    )
    .addHelpText('after', '\nExamples:\n  svc runner once\n  svc runner once --ephemeral')
    .action((options: RunOptions) => start(cli, options, true))
  withHome(command.command('status'))
    .description(
      'show the runner of this machine, its runs and worktrees, and all runners of the workspace',
    )
    .addHelpText('after', '\nExamples:\n  svc runner status\n  svc runner status --json')
    .action((options: HomeOption) => status(cli, options))
  defineTrust(withHome(command.command('trust')), cli)
  defineForget(withHome(command.command('forget')), cli)
  defineService(command.command('service'), cli)
  defineAgents(command, cli)
  defineOfWorkspace(command, cli)
}

const startHelp = `
Ctrl-C waits for the runs, a second one ends them, a third one leaves them alone.
Agents are ${listPrograms('conjunction')} where they are on the PATH, and those of agents.json in the folder of the runner: see docs/agents.md.
--agent-token minted gives each agent a token that is good for its objective and as long as its run; own hands down the
token that the runner works with. By default it is own where SVC_USER_TOKEN is set, and else minted.
--max-rights edit lets agents change files and commit, and run nothing else, whatever a project gives them. It goes before
SVC_RUNNER_MAX_RIGHTS; without either there is no bound, and nothing is more than the project gives.

Examples:
  svc runner start
  svc runner start --project web --agent claude --max 2 --label box`

const runnerArgument = 'its UUID, or its label where no other has it'

function defineOfWorkspace(group: Command, cli: Cli): void {
  group
    .command('list')
    .description('list the runners of the workspace, the last heard first')
    .addHelpText('after', '\nExamples:\n  svc runner list\n  svc runner list --json')
    .action(() => list(cli))
  group
    .command('show')
    .description('show a runner: its agents, its checkouts and what it carries')
    .argument('<runner>', runnerArgument)
    .addHelpText('after', '\nExamples:\n  svc runner show laptop\n  svc runner show laptop --json')
    .action(async (runner: string) => {
      const { showRunner } = await import('../output/runner-detail.ts')
      await showRunner(cli, runner)
    })
  group
    .command('remove')
    .description('take a runner from the workspace for good; one that is at work stays')
    .argument('<runner>', runnerArgument)
    .addHelpText(
      'after',
      '\nThe machine can be used again after its runner home was deleted.\n\nExamples:\n  svc runner remove old-laptop',
    )
    .action((runner: string) => remove(cli, runner))
}

function withHome(command: Command): Command {
  return command.option(...homeOption)
}

async function start(cli: Cli, options: RunOptions, once: boolean): Promise<void> {
  const {
    label,
    max,
    project,
    agent,
    agentToken,
    maxRights,
    runnerHome,
    leaveRuns = false,
    ephemeral = false,
  } = options
  await checkStartOptions(options)
  const named = () => projectIds(cli, project)
  const projects = project.length > 0 ? await onceReached(cli, once, named) : undefined
  const { runDaemon } = await import('../run-daemon.ts')
  await runDaemon(cli, {
    once,
    leaveRuns,
    ephemeral,
    label: label?.trim(),
    max: max === undefined ? undefined : Number(max),
    ...(runnerHome !== undefined && { runnerHome }),
    ...(projects !== undefined && { projects }),
    ...(agent.length > 0 && { agents: agent }),
    ...(agentToken !== undefined && { agentToken }),
    ...(maxRights !== undefined && { maxRights }),
  })
}

async function projectIds(cli: Cli, refs: readonly string[]): Promise<string[]> {
  const client = await openClient(cli)
  const answers = await Promise.all(refs.map((id) => client.call('getProject', { id })))
  return answers.map(({ project }) => project.id)
}

async function listRunners(cli: Cli) {
  return await (await openClient(cli)).call('listRunners', {})
}

async function list(cli: Cli): Promise<void> {
  const answer = await listRunners(cli)
  const { table } = await import('../output/table.ts')
  const rows = answer.runners.map((one) => [one.label, one.state, one.lastHeardAt, one.id])
  await print(cli, answer, () => table(['RUNNER', 'STATE', 'LAST HEARD', 'ID'], rows, cli.stdout))
}

async function remove(cli: Cli, wanted: string): Promise<void> {
  const client = await openClient(cli)
  const { id, label } = await requireRunner(client, wanted)
  await client.call('removeRunner', { id })
  await print(cli, { removed: id }, () => `removed ${label}`)
}

const refusedRun =
  'refused: the service does not take the token of the runner; svc login, then svc runner start reports what is left'
const heldColumns = ['HELD AGENT', 'WHY', 'UNTIL', 'TRY IT SOONER']
const runnerColumns = ['RUNNER OF THE WORKSPACE', 'STATE', 'BUSY', 'AGENTS', 'LAST HEARD']

async function status(cli: Cli, options: HomeOption): Promise<void> {
  const home = await runnerHomeOf(cli, options.runnerHome)
  const { localStatus } = await import('../output/local-status.ts')
  const { listRunnerWorktrees } = await import('../branches/runner-worktrees.ts')
  const here = { ...localStatus(home), worktrees: await listRunnerWorktrees(home) }
  // what is on this machine is printed without the service as well
  const [asked] = await Promise.allSettled([listRunners(cli)])
  const runners = asked.status === 'fulfilled' ? asked.value.runners : null
  const { details, table } = await import('../output/table.ts')
  const summary = {
    home: home.folder,
    daemon: here.daemon === null ? notRunning(here.device, runners) : `process ${here.daemon}`,
    device: here.device,
    'agents may do at most': here.maxRights ?? '-',
  }
  const linkRows = here.resources.map((one) => [one.resourceKey, one.state, one.path])
  const heldRows = here.heldAgents.map((one) => [
    one.agent,
    describeLimit(one.reason),
    one.until,
    `svc runner agents retry ${one.agent}`,
  ])
  const runRows = here.runs.map(({ folder, step, of }) => [
    folder,
    step === 'refused' ? refusedRun : step,
    of ?? 'unknown',
  ])
  const worktreeRows = here.worktrees.map((one) => [
    one.mission,
    one.branch,
    one.path,
    one.kept ?? 'it can go',
  ])
  const runnerRows = runners?.map((one) => [
    one.label,
    one.state,
    `${one.capacity.running} of ${one.capacity.max}`,
    [...one.agents, ...(one.heldAgents ?? []).map(({ key }) => `${key} (held)`)].join(' '),
    one.lastHeardAt,
  ])
  await print(cli, { ...here, runners }, () =>
    [
      details(summary, cli.stdout),
      table(['LINKED', 'STATE', 'PATH'], orNone(linkRows), cli.stdout),
      ...(heldRows.length > 0 ? [table(heldColumns, heldRows, cli.stdout)] : []),
      table(['RUN HERE', 'LAST STEP', 'OF'], orNone(runRows), cli.stdout),
      table(['WORKTREE OF', 'BRANCH', 'PATH', 'STAYS BECAUSE'], orNone(worktreeRows), cli.stdout),
      ...(runnerRows ? [table(runnerColumns, runnerRows, cli.stdout)] : []),
    ].join('\n\n'),
  )
  if (asked.status === 'rejected') throw asked.reason
}

function orNone<Row>(rows: readonly Row[]): readonly (Row | readonly string[])[] {
  return rows.length > 0 ? rows : [['none']]
}

/** A machine may have runners in several folders, and they have its name unless they were given one. */
function notRunning(device: string, runners: readonly Runner[] | null): string {
  const isElsewhere = runners?.some(({ label, state }) => label === device && state === 'connected')
  return isElsewhere
    ? `not running in this folder; the connected ${device} has another: name it with --runner-home`
    : 'not running: svc runner start'
}

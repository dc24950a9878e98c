import { isServiceError } from '@svc/contracts/errors'
import { version } from '@svc/contracts/version'
import { Command, CommanderError, Help, type Option } from 'commander'
import type { Cli } from './cli.ts'
import { type ExitCode, exitCode } from './output/exit-codes.ts'
import {
  CommandFailure,
  describeFailure,
  failureJson,
  isUnreachable,
  usageFailure,
} from './output/failure.ts'
import { inOwnWords } from './output/own-words.ts'
import { oneLine } from './output/terminal.ts'

type Define = (command: Command, cli: Cli) => void

interface Group {
  summary: string
  load(): Promise<{ define: Define }>
}

/** Only what is called is loaded, so that an agent's call starts quickly. */
export const groups: Record<string, Group> = {
  needs: {
    summary: 'list what waits for you, and the command that helps',
    load: () => import('./commands/needs.ts'),
  },
  open: {
    summary: 'open the page of a mission, objective, run or project in your browser',
    load: () => import('./commands/open.ts'),
  },
  board: {
    summary: 'show the newest missions of each status of a project',
    load: () => import('./commands/board.ts'),
  },
  projects: {
    summary: 'list, show, create and set up projects',
    load: () => import('./commands/projects.ts'),
  },
  missions: {
    summary: 'list, create, move, watch, delete and restore missions',
    load: () => import('./commands/missions.ts'),
  },
  objectives: {
    summary: 'add, edit, submit, reorder, delete and restore objectives',
    load: () => import('./commands/objectives.ts'),
  },
  attachments: {
    summary: 'give objectives files along, list, download and delete them',
    load: () => import('./commands/attachments.ts'),
  },
  launch: {
    summary: 'launch an agent on an objective, or approve one that waits',
    load: () => import('./commands/launch.ts'),
  },
  resume: {
    summary: 'go on with a run that was lost or ended without a delivery',
    load: () => import('./commands/resume.ts'),
  },
  runs: {
    summary: 'list, show and cancel runs, and see what they changed',
    load: () => import('./commands/runs.ts'),
  },
  queue: {
    summary: 'line objectives up, so that each delivery launches the next',
    load: () => import('./commands/queue.ts'),
  },
  cancel: {
    summary: 'cancel what is queued or runs on an objective',
    load: () => import('./commands/cancel.ts'),
  },
  deliveries: {
    summary: 'list and read what was delivered: reports, artifacts, and why files changed',
    load: () => import('./commands/deliveries.ts'),
  },
  review: {
    summary: 'show what a mission brought, try it, take it over, accept it or ask for changes',
    load: () => import('./commands/review.ts'),
  },
  branches: {
    summary: 'list the branches that missions have, and remove merged ones',
    load: () => import('./commands/branches.ts'),
  },
  artifacts: {
    summary: 'list and read the artifacts of a mission',
    load: () => import('./commands/artifacts.ts'),
  },
  events: {
    summary: 'show the history of a mission, and follow it',
    load: () => import('./commands/events.ts'),
  },
  feed: {
    summary: 'follow what changes in the workspace, or in a mission, as it changes',
    load: () => import('./commands/feed.ts'),
  },
  logs: { summary: 'show the output of a run', load: () => import('./commands/logs.ts') },
  runner: { summary: 'run agents on this machine', load: () => import('./commands/runner.ts') },
  doctor: {
    summary: 'look at the runner, the checkouts and whether the service is reached',
    load: () => import('./commands/doctor.ts'),
  },
  resource: {
    summary: 'link checkouts on this machine to projects, list and unlink them',
    load: () => import('./commands/resource.ts'),
  },
  tokens: {
    summary: 'list, create and revoke your tokens',
    load: () => import('./commands/tokens.ts'),
  },
  applications: {
    summary: 'list the applications that you let in, and disconnect them',
    load: () => import('./commands/applications.ts'),
  },
  members: {
    summary: 'list the members of the workspace, change their roles, remove them, or leave',
    load: () => import('./commands/members.ts'),
  },
  invite: {
    summary: 'invite somebody to the workspace by a link',
    load: () => import('./commands/invite.ts'),
  },
  invitations: {
    summary: 'list and revoke invitations',
    load: () => import('./commands/invitations.ts'),
  },
  workspace: {
    summary: 'show, rename, delete and restore the workspace',
    load: () => import('./commands/workspace.ts'),
  },
  inbox: {
    summary: 'note tasks down for yourself, and turn them into missions',
    load: () => import('./commands/inbox.ts'),
  },
  notifications: {
    summary: 'list and read what the service tells you',
    load: () => import('./commands/notifications.ts'),
  },
  webhooks: {
    summary: 'create, test and watch webhooks',
    load: () => import('./commands/webhooks.ts'),
  },
  usage: {
    summary: 'sum what runs have used: money, tokens and time',
    load: () => import('./commands/usage.ts'),
  },
  audit: {
    summary: 'show who changed rights, tokens and webhooks',
    load: () => import('./commands/audit.ts'),
  },
  login: {
    summary: 'sign in to a service, by a page that you open in a browser',
    load: () => import('./commands/login.ts'),
  },
  logout: {
    summary: 'end the token of svc login, and remove it here',
    load: () => import('./commands/logout.ts'),
  },
  whoami: {
    summary: 'show who you are to the service',
    load: () => import('./commands/whoami.ts'),
  },
  questions: {
    summary: 'list, show and answer what agents ask',
    load: () => import('./commands/questions.ts'),
  },
  completion: {
    summary: 'print what lets a shell complete svc',
    load: () => import('./commands/completion.ts'),
  },
  protocol: {
    summary: 'what an agent calls while it works',
    load: () => import('./commands/protocol.ts'),
  },
  agents: {
    summary: 'list the agents known here, and connect coding agents to the service',
    load: () => import('./commands/agents.ts'),
  },
  mcp: {
    summary: 'serve the tools to an agent on this machine, over stdio',
    load: () => import('./commands/mcp.ts'),
  },
}

const rootExamples = `
Examples:
  svc missions create web "Dark mode" --objective "Add a switch to the settings page"
  svc launch web:12.k7qd --agent claude --watch
  svc missions watch web:12
  svc open web:12

Exit codes: 0 done; 1 unexpected; 2 usage; 3 not allowed; 4 not found; 5 conflict; 6 unreachable;
10 a question that is still open.

With --json a failure is the last line of stderr, as the API answers it:
{"error":{"code","message","details","next","requestId"}}`

/** The command tree with those groups filled in that `wanted` names; all of them when it is left out. */
export async function buildProgram(cli: Cli, wanted?: readonly string[]): Promise<Command> {
  const program = new Command('svc')
    .description('Plan missions, launch coding agents on them, and see what they did.')
    .version(version, '--version', 'print the version')
    .option('--json', 'print JSON instead of tables')
    .option('--url <url>', 'address of the service')
    .option('--token-file <path>', 'file that holds the token, mode 0600')
    .option('--workspace <name>', 'short name of the one that is meant, of several signed in to')
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false, optionDescription })
    .configureOutput({
      writeOut: (text) => void cli.stdout.write(text),
      writeErr: (text) => void (cli.settings.json || cli.stderr.write(text)),
      // printed with every other failure
      outputError: () => undefined,
    })
    .exitOverride()
    .showSuggestionAfterError()
    .addHelpText('after', rootExamples)
    .hook('preAction', (_, action) => {
      Object.assign(cli.settings, program.opts())
      refuseEmptyArguments(action)
    })
    // known before the rest of the line, so that its refusal is JSON, too
    .on('option:json', () => (cli.settings.json = true))
  for (const [name, group] of Object.entries(groups)) {
    const command = program.command(name).summary(group.summary).description(group.summary)
    if (wanted === undefined || wanted.includes(name)) (await group.load()).define(command, cli)
  }
  return program
}

/** An option that may be repeated begins with an empty list, which is not shown as a default. */
function optionDescription(this: Help, option: Option): string {
  const description = Help.prototype.optionDescription.call(this, option)
  return description.replace(/ \(default: \[\]\)$|, default: \[\](?=\)$)/, '')
}

/** Runs one command line and says with which code the process ends. */
export async function runCommandLine(cli: Cli, argv: readonly string[]): Promise<ExitCode> {
  const program = await buildProgram(cli, groupsIn(argv))
  cli.settings.line = argv
  try {
    if (argv.length === 0) program.outputHelp()
    else await program.parseAsync(argv, { from: 'user' })
    return exitCode.done
  } catch (error) {
    if (error instanceof CommanderError)
      return endOfParsing(cli, error, helpFor(program, argv, error))
    if (cli.signal.aborted && isAbort(error)) return exitCode.done
    if (cli.settings.json) return reportFailure(cli, await withStart(cli, error))
    const shown = await withWorkspaces(cli, inOwnWords(calledBy(program, argv), error))
    return reportFailure(cli, await withStart(cli, shown))
  }
}

function calledBy(program: Command, argv: readonly string[]): Command {
  let command = program
  for (const word of argv) {
    command = command.commands.find((one) => one.name() === word) ?? command
  }
  return command
}

/** The command that the words lead to, as its help is asked for; a word too many is mostly what is to be done. */
function helpFor(program: Command, argv: readonly string[], { code }: CommanderError): string {
  const command = calledBy(program, argv)
  const names: string[] = []
  for (let one: Command | null = command; one; one = one.parent) names.unshift(one.name())
  const takesObjectives = command.options.some(({ long }) => long === '--objective')
  if (code === 'commander.excessArguments' && takesObjectives)
    return 'what is to be done goes behind --objective.'
  return `see ${names.join(' ')} --help.`
}

/** What the agents of a mission share may be an empty text, and a word that is to be completed is one at first. */
const mayBeEmpty: ReadonlySet<string> = new Set(['value', 'words'])

/** An empty id would name the list that it is looked for in, and a variable that is not set gives one. */
function refuseEmptyArguments({ args, registeredArguments: known }: Command): void {
  for (const [index, given] of args.entries()) {
    const argument = known[Math.min(index, known.length - 1)]
    if (given.trim() !== '' || argument === undefined || mayBeEmpty.has(argument.name())) continue
    const what = argument.description ? `it takes ${argument.description}` : 'give one'
    throw usageFailure(`<${argument.name()}> is empty: ${what}.`)
  }
}

/** Help that was asked for is no failure; that of a group without a command says what is missing. */
function endOfParsing(
  cli: Cli,
  { exitCode: code, code: what, message }: CommanderError,
  help: string,
): ExitCode {
  if (code === 0) return exitCode.done
  if (what !== 'commander.help')
    return reportFailure(cli, usageFailure(usageMessage(message, help)))
  if (!cli.settings.json) return exitCode.usage
  return reportFailure(cli, usageFailure(`a command is missing; ${help}`))
}

async function withStart(cli: Cli, error: unknown): Promise<unknown> {
  if (!isUnreachable(error)) return error
  const { sayHowToStart } = await import('./output/start-again.ts')
  return await sayHowToStart(cli, error)
}

async function withWorkspaces(cli: Cli, error: unknown): Promise<unknown> {
  const isKnown = isServiceError(error) || error instanceof CommandFailure
  if (!isKnown || error.code !== 'not_found') return error
  const { sayWhereElse } = await import('./output/other-workspaces.ts')
  return await sayWhereElse(cli, error)
}

function reportFailure(cli: Cli, error: unknown): ExitCode {
  const { line, exitCode: code } = describeFailure(error)
  cli.stderr.write(`${cli.settings.json ? failureJson(error) : line}\n`)
  return code
}

/** A group's name may also be an option's value; loading one too many is harmless. */
function groupsIn(argv: readonly string[]): string[] {
  return argv.filter((word) => Object.hasOwn(groups, word))
}

/** What other tools call a command of ours. */
const elsewhere: Readonly<Record<string, string>> = {
  "unknown command 'search'": 'svc missions list --query <words>',
}

function usageMessage(text: string, help: string): string {
  const bare = text.replace(/\(Did you mean .*\)/s, '').replace(/^error: /, '')
  const said = oneLine(bare).replace(/\.$/, '')
  const suggestion = elsewhere[said] ?? /\(Did you mean (.+?)\?\)/s.exec(text)?.[1]
  return `${said}; ${suggestion ? `did you mean ${suggestion}?` : help}`
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError'
}

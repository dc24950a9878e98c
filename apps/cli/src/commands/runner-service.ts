import { mkdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Command } from 'commander'
import { createDurably, readIfThere, writeDurably } from '@svc/runner/files/durable-file'
import { findDaemon } from '@svc/runner/daemon/home-lock'
import { type Cli, print, say } from '../cli.ts'
import { exitCode } from '../output/exit-codes.ts'
import { CommandFailure } from '../output/failure.ts'
import { runnerHomeOf, runnerHomeToRead } from '../runner-home.ts'
import { askManager, lineOf, takeSteps } from '../runner-service/call-manager.ts'
import { type KeptRunner, keptRunner } from '../runner-service/kept-runner.ts'
import { managerOf } from '../runner-service/managers.ts'
import { type StartOptions, checkStartOptions, withStartOptions } from '../start-options.ts'

interface InstallOptions extends StartOptions {
  dryRun?: boolean
}

/** `svc runner service`. */
export function defineService(group: Command, cli: Cli): void {
  group
    .description('keep the runner of this machine running, by systemd or launchd')
    .addHelpText('after', '\nExamples:\n  svc runner service install\n  svc runner service status')
  withStartOptions(group.command('install'))
    .description('have it started now, after a failure, and with the machine')
    .option('--dry-run', 'show what would be written and run, and do nothing')
    .addHelpText('after', installHelp)
    .action((options: InstallOptions) => install(cli, options))
  group
    .command('remove')
    .description('stop it and have it started no more; its runs go on')
    .option('--dry-run', 'show what would be run, and do nothing')
    .addHelpText('after', '\nExamples:\n  svc runner service remove')
    .action((options: { dryRun?: boolean }) => remove(cli, options))
  group
    .command('status')
    .description('show whether it is installed and runs')
    .addHelpText('after', '\nExamples:\n  svc runner service status')
    .action(() => status(cli))
}

const installHelp = `
On Linux it is a unit of your own systemd, which lingers, so that it runs while you are logged out; on macOS an agent of
launchd, which runs while you are logged in. Again with other options it is changed, and with the same nothing is.
To stop or restart it ends the runner alone: runs go on, and the next start finds them.
It works with the login of this machine, or with SVC_USER_TOKEN, which is then kept in service-token of the runner home,
readable by you alone. It keeps one runner: that of a second login is started by hand. PATH is that of this shell. What agents need besides, such as ANTHROPIC_API_KEY=..., belongs into
service.env of the runner home, one a line.

Examples:
  svc runner service install
  svc runner service install --project web --max 2 --dry-run`

async function install(cli: Cli, { dryRun = false, ...choices }: InstallOptions): Promise<void> {
  await checkStartOptions(choices)
  const manager = managerOf(process.platform)
  const kept = await keptRunner(cli, choices)
  const file = manager.file(cli.env)
  const text = manager.describe(kept)
  const isNews = readIfThere(file) !== text
  const steps = manager.start(file, isNews)
  const result = { manager: manager.name, file, changed: isNews, dryRun }
  if (dryRun) {
    const commands = steps.map(lineOf)
    return print(cli, { ...result, text, commands }, () =>
      [`# ${file}`, text, ...commands].join('\n'),
    )
  }
  refuseOtherRunner(file, text, kept)
  await refuseSecondRunner(cli, kept)
  await runnerHomeOf(cli, kept.home.folder)
  writeOwnFiles(kept)
  if (isNews) {
    mkdirSync(dirname(file), { recursive: true })
    writeDurably(file, text, 0o644)
  }
  for (const left of await takeSteps(cli.env, steps)) say(cli, left)
  const { state, process: pid } = await askManager(cli.env, manager)
  await print(cli, { ...result, state, process: pid }, () =>
    [
      `${isNews ? 'Wrote' : 'Nothing to change in'} ${file}.`,
      `The runner is ${state ?? 'not known to it'}; see what it prints: ${manager.logs(kept)}`,
    ].join('\n'),
  )
}

/** It keeps one runner of this person's, and another one would take its place without a word. */
function refuseOtherRunner(file: string, text: string, { home }: KeptRunner): void {
  const known = readIfThere(file)
  if (known === undefined || homeIn(known) === homeIn(text)) return
  const message = `${file} keeps a runner in another folder than ${home.folder}, and there is one such service for each person: run this one by hand (svc runner start), or remove that one first (svc runner service remove).`
  throw new CommandFailure('runner_running', message, exitCode.conflict)
}

/** The folder in the command that the file starts, as it is written there: words of systemd, or of a property list. */
function homeIn(text: string): string | undefined {
  const isList = text.includes('<string>')
  const words = isList ? text.replaceAll(/<\/string>\s*<string>/g, ' ') : text
  return words.split('--runner-home')[1]?.split(isList ? / --|</ : / "?--|\n/)[0]
}

/** Only one may work in a home: one of a terminal would have the new one fail again and again. */
async function refuseSecondRunner(cli: Cli, { home }: KeptRunner): Promise<void> {
  const running = findDaemon(home)
  if (running === undefined) return
  const { process: pid } = await askManager(cli.env, managerOf(process.platform))
  if (pid === running) return
  const text = `A runner works in ${home.folder} already, process ${running}: stop it with Ctrl-C where it runs, then install again.`
  throw new CommandFailure('runner_running', text, exitCode.conflict)
}

function writeOwnFiles({ token, environmentFile }: KeptRunner): void {
  if (token) writeDurably(token.file, `${token.text}\n`, 0o600)
  createDurably(
    environmentFile,
    '# What the runner and its agents have in their environment, one NAME=value a line.\n',
  )
}

async function remove(cli: Cli, { dryRun = false }: { dryRun?: boolean }): Promise<void> {
  const manager = managerOf(process.platform)
  const file = manager.file(cli.env)
  const result = { manager: manager.name, file, dryRun }
  if (readIfThere(file) === undefined) {
    return print(
      cli,
      { ...result, removed: false },
      () => `There is no ${file}: nothing to remove.`,
    )
  }
  const stop = manager.stop(file)
  if (dryRun) {
    const commands = [...stop.map(lineOf), `rm ${file}`, ...manager.forget.map(lineOf)]
    return print(cli, { ...result, commands }, () => commands.join('\n'))
  }
  await takeSteps(cli.env, stop)
  rmSync(file, { force: true })
  await takeSteps(cli.env, manager.forget)
  await print(
    cli,
    { ...result, removed: true },
    () => `Stopped the runner and removed ${file}; its runs go on.`,
  )
}

async function status(cli: Cli): Promise<void> {
  const manager = managerOf(process.platform)
  const file = manager.file(cli.env)
  const isThere = readIfThere(file) !== undefined
  const { state, startsByItself, process: pid } = await askManager(cli.env, manager)
  const result = {
    manager: manager.name,
    file: isThere ? file : null,
    state,
    startsByItself,
    process: pid,
  }
  const { details } = await import('../output/table.ts')
  const rows = {
    file: isThere ? file : 'not installed: svc runner service install',
    state: state ?? `not known to ${manager.name}`,
    'starts by itself': startsByItself ? 'yes' : 'no',
    process: pid === null ? 'none' : String(pid),
    output: manager.logs({ home: runnerHomeToRead(cli) }),
  }
  await print(cli, result, () => details(rows, cli.stdout))
}

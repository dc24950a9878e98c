import { TransferError } from '@svc/db/transfer/format'
import { isServiceError } from '@svc/contracts/errors'
import { ConfigurationError, type Environment, readEnvironment } from '@svc/process/env'
import type { Log } from '@svc/process/log'
import { DomainEnvironment } from '@svc/service/domain'
import { Command, CommanderError } from 'commander'
import { z } from 'zod'
import { RestoreInput, runAfterRestore } from './after-restore.ts'
import { OwnerEnvironment, OwnerInput, SetUpError, runCreateOwner } from './create-owner.ts'
import { migrate } from './migrate.ts'
import { ExportInput, ImportInput, runExport, runImport } from './transfer.ts'
import { StatusInput, runStatus } from './status.ts'
import { RestoreWorkspaceInput, runRestoreWorkspace } from './restore-workspace.ts'
import { ResetEnvironment, ResetInput, runResetLink } from './reset-link.ts'

const exitCode = { failed: 1, usage: 2, badConfiguration: 78 }

const say = {
  stdout: (text: string) => void process.stdout.write(text),
  stderr: (text: string) => void process.stderr.write(text),
}

export interface Called {
  /** What a person writes before the command, where it needs these variables. */
  call: (variables?: string) => string
  /** Asked once a command has to do its work, by one that works while no app runs with `stopped`. */
  environment: (needs: { stopped: boolean }) => Promise<Environment>
  log: Log
  /** The advice where the environment lacks something. */
  ifUnconfigured?: string
}

/** Answers the exit code; what a person can put right has been said by then, and anything else is thrown. */
export async function runCommands(called: Called, argv: readonly string[]): Promise<number> {
  try {
    await commandsOf(called).parseAsync(argv, { from: 'user' })
    return 0
  } catch (error) {
    // commander has said it already
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCode.usage
    const failure = describeFailure(error, called)
    if (failure === undefined) throw error
    say.stderr(`svc-admin: ${failure.text}\n`)
    return failure.code
  }
}

/** What no command works without. */
const everything = 'DATABASE_URL=postgres://… SVC_SECRET_KEYS=…'

const apart = { stopped: true }
const alongside = { stopped: false }

function commandsOf({ call, environment, log }: Called): Command {
  const program = new Command(call())
    .description('works on the server and its database; the only program that changes the schema')
    .exitOverride()
  program
    .command('migrate')
    .description('bring the database to this version; run it before every new version of an app')
    .addHelpText('after', `\nExample:\n  ${call(everything)} migrate`)
    .action(async () => migrateDatabase(await environment(alongside)))
  program
    .command('create-owner')
    .description(
      'make a workspace and its owner; print a token of full scope, and a link to set a password, each once',
    )
    .requiredOption('--workspace <slug>', 'short name of the workspace, such as acme')
    .requiredOption('--workspace-name <name>', 'its name for people')
    .requiredOption('--email <address>', 'who owns it')
    .requiredOption('--name <name>', 'their name')
    .option('--new-token', 'mint one more token when they own it already')
    .option('--json', 'print one JSON object in place of the token')
    .addHelpText(
      'after',
      `\nExample:\n  ${call()} create-owner --workspace acme --workspace-name Acme \\
    --email owner@example.com --name Owner > owner-token`,
    )
    .action(async (options: unknown) => {
      const input = OwnerInput.parse(options)
      const configured = readEnvironment(OwnerEnvironment, await environment(alongside))
      await runCreateOwner(configured, { log, input, say })
    })
  program
    .command('reset-link')
    .description(
      'print a link that resets an account, once, whatever its workspaces, and say what ends by it',
    )
    .requiredOption('--email <address>', 'by which the person signs in')
    .addHelpText(
      'after',
      `\nExample:\n  ${call('SVC_BASE_URL=https://svc.example.com')} reset-link --email owner@example.com`,
    )
    .action(async (options: unknown) => {
      const input = ResetInput.parse(options)
      const configured = readEnvironment(ResetEnvironment, await environment(alongside))
      await runResetLink(configured, { log, input, say })
    })
  program
    .command('restore-workspace')
    .description(
      'restore a workspace that its owner deleted less than 30 days ago, where no owner has a token for it any more',
    )
    .requiredOption('--workspace <slug>', 'its short name')
    .addHelpText('after', `\nExample:\n  ${call()} restore-workspace --workspace acme`)
    .action(async (options: unknown) => {
      const input = RestoreWorkspaceInput.parse(options)
      const configured = readEnvironment(DomainEnvironment, await environment(alongside))
      await runRestoreWorkspace(configured, { log, input, say })
    })
  program
    .command('after-restore')
    .description(
      'end what a restored backup has made valid again: sessions, tokens, codes, links, logins, leases; before the apps start',
    )
    .option('--keep-tokens', 'let tokens live that nobody revoked before the backup')
    .option('--yes', 'do it; without this it says what it would end')
    .option('--json', 'print one JSON object in place of the sentence')
    .addHelpText('after', `\nExample:\n  ${call(everything)} after-restore --yes`)
    .action(async (options: unknown) => {
      const input = RestoreInput.parse(options)
      const configured = readEnvironment(DomainEnvironment, await environment(apart))
      await runAfterRestore(configured, { log, input, say })
    })
  program
    .command('status')
    .description('say whether an app could work on this database, and what the service has to do')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `\nExits with 1 where no app would be ready. The same figures are at /metrics of the API.

Examples:
  ${call(everything)} status
  ${call(everything)} status --json`,
    )
    .action(async (options: unknown) => {
      const input = StatusInput.parse(options)
      const configured = readEnvironment(DomainEnvironment, await environment(alongside))
      await runStatus(configured, { log, input, say })
    })
  addTransfers(program, { call, environment, log })
  return program
}

function addTransfers(program: Command, { call, environment, log }: Called): void {
  program
    .command('export')
    .description(
      'write every row of the service, as of one moment, to a file that import takes; the apps may run',
    )
    .option('--file <path>', 'where to; standard output when left out')
    .option(
      '--without-logs',
      'leave out what runs printed, which is the most of it in most services',
    )
    .option(
      '--workspace <slug>',
      'that workspace alone, with the people in it; none of their passwords and sign-ins',
    )
    .addHelpText(
      'after',
      `\nThe key ring, SVC_SECRET_KEYS, is not in it, and nothing of it is of use without: keep that, too, in another place.
The service of npm start keeps its own in secret-keys, in its data folder; npm start -- --export <path> exports that one.

Examples:
  ${call(everything)} export --file svc-export.gz
  ${call(everything)} export --without-logs --file svc-export.gz
  ${call(everything)} export --workspace acme --file acme.gz
  ${call(everything)} export | age -r age1… > svc-export.gz.age`,
    )
    .action(async (options: unknown) => {
      const input = ExportInput.parse(options)
      const configured = readEnvironment(DomainEnvironment, await environment(alongside))
      await runExport(configured, { log, input, say })
    })
  program
    .command('import')
    .description(
      'load an export into a database that svc-admin migrate has made and that holds nothing yet; all of it or nothing',
    )
    .requiredOption('--file <path>', 'what export has written')
    .addHelpText(
      'after',
      `\nSVC_SECRET_KEYS is the key ring of the service that it was taken from. Run after-restore next where the export is
restored as a backup, and not where the service moves.

Examples:
  export DATABASE_URL=postgres://… SVC_SECRET_KEYS="$(cat .svc/data/secret-keys)"
  svc-admin migrate
  svc-admin import --file svc-export.gz`,
    )
    .action(async (options: unknown) => {
      const input = ImportInput.parse(options)
      await runImport(readEnvironment(DomainEnvironment, await environment(apart)), { input, say })
    })
}

function describeFailure(
  error: unknown,
  { ifUnconfigured }: Called,
): { text: string; code: number } | undefined {
  if (error instanceof ConfigurationError) {
    const text = [error.message, ifUnconfigured].filter((part) => part !== undefined).join(' ')
    return { text, code: exitCode.badConfiguration }
  }
  if (error instanceof z.ZodError) {
    const problems = error.issues.map((issue) => `${optionOf(issue.path)}: ${issue.message}`)
    return { text: problems.join('; '), code: exitCode.usage }
  }
  if (isServiceError(error) || error instanceof SetUpError || error instanceof TransferError) {
    return { text: error.message, code: exitCode.failed }
  }
  return undefined
}

function optionOf([name]: readonly PropertyKey[]): string {
  return `--${String(name).replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

async function migrateDatabase(given: Environment): Promise<void> {
  const environment = readEnvironment(DomainEnvironment, given)
  const applied = await migrate({
    databaseUrl: environment.SVC_DATABASE_DIRECT_URL ?? environment.DATABASE_URL,
    secretKeys: environment.SVC_SECRET_KEYS,
  })
  say.stdout(
    applied.length === 0
      ? 'The database is at this version already.\n'
      : `Applied: ${applied.join(', ')}\n`,
  )
}

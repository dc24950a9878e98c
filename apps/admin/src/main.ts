import { TransferError } from '@svc/db/transfer/format'
import { isServiceError } from '@svc/contracts/errors'
import { ConfigurationError, readEnvironment } from '@svc/process/env'
import type { Log } from '@svc/process/log'
import { run } from '@svc/process/run'
import { DomainEnvironment } from '@svc/service/domain'
import { Command, CommanderError } from 'commander'
import { z } from 'zod'
import { RestoreInput, runAfterRestore } from './after-restore.ts'
import { OwnerEnvironment, OwnerInput, SetUpError, runCreateOwner } from './create-owner.ts'
import { migrate } from './migrate.ts'
import { ExportInput, ImportInput, runExport, runImport } from './transfer.ts'
import { ResetEnvironment, ResetInput, runResetLink } from './reset-link.ts'

const exitCode = { failed: 1, usage: 2, badConfiguration: 78 }

const say = {
  stdout: (text: string) => void process.stdout.write(text),
  stderr: (text: string) => void process.stderr.write(text),
}

run('svc-admin', async ({ log }) => {
  try {
    await commandsOf(log).parseAsync(process.argv)
    return 0
  } catch (error) {
    // commander has said it already
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCode.usage
    const failure = describeFailure(error)
    if (failure === undefined) throw error
    say.stderr(`svc-admin: ${failure.text}\n`)
    return failure.code
  }
})

function commandsOf(log: Log): Command {
  const program = new Command('svc-admin')
    .description('works on the server and its database; the only program that changes the schema')
    .exitOverride()
  program
    .command('migrate')
    .description('bring the database to this version; run it before every new version of an app')
    .addHelpText(
      'after',
      '\nExample:\n  DATABASE_URL=postgres://… SVC_SECRET_KEYS=… svc-admin migrate',
    )
    .action(migrateDatabase)
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
      `\nExample:\n  svc-admin create-owner --workspace acme --workspace-name Acme \\
    --email owner@example.com --name Owner > owner-token`,
    )
    .action((options: unknown) =>
      runCreateOwner(readEnvironment(OwnerEnvironment, process.env), {
        log,
        input: OwnerInput.parse(options),
        say,
      }),
    )
  program
    .command('reset-link')
    .description(
      'print a link that resets an account, once, whatever its workspaces, and say what ends by it',
    )
    .requiredOption('--email <address>', 'by which the person signs in')
    .addHelpText(
      'after',
      `\nExample:\n  SVC_BASE_URL=https://svc.example.com svc-admin reset-link --email owner@example.com`,
    )
    .action((options: unknown) =>
      runResetLink(readEnvironment(ResetEnvironment, process.env), {
        log,
        input: ResetInput.parse(options),
        say,
      }),
    )
  program
    .command('after-restore')
    .description(
      'end what a restored backup has made valid again: sessions, tokens, codes, links, logins, leases; before the apps start',
    )
    .option('--keep-tokens', 'let tokens live that nobody revoked before the backup')
    .option('--yes', 'do it; without this it says what it would end')
    .option('--json', 'print one JSON object in place of the sentence')
    .addHelpText(
      'after',
      '\nExample:\n  DATABASE_URL=postgres://… SVC_SECRET_KEYS=… svc-admin after-restore --yes',
    )
    .action((options: unknown) =>
      runAfterRestore(readEnvironment(DomainEnvironment, process.env), {
        log,
        input: RestoreInput.parse(options),
        say,
      }),
    )
  addTransfers(program, log)
  return program
}

function addTransfers(program: Command, log: Log): void {
  program
    .command('export')
    .description(
      'write every row of the service, as of one moment, to a file that import takes; the apps may run',
    )
    .option('--file <path>', 'where to; standard output when left out')
    .addHelpText(
      'after',
      `\nThe key ring, SVC_SECRET_KEYS, is not in it, and nothing of it is of use without: keep that, too, in another place.
The service of npm start keeps its own in secret-keys, in its data folder; npm start -- --export <path> exports that one.

Examples:
  DATABASE_URL=postgres://… SVC_SECRET_KEYS=… svc-admin export --file svc-export.gz
  DATABASE_URL=postgres://… SVC_SECRET_KEYS=… svc-admin export | age -r age1… > svc-export.gz.age`,
    )
    .action((options: unknown) =>
      runExport(readEnvironment(DomainEnvironment, process.env), {
        log,
        input: ExportInput.parse(options),
        say,
      }),
    )
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
    .action((options: unknown) =>
      runImport(readEnvironment(DomainEnvironment, process.env), {
        input: ImportInput.parse(options),
        say,
      }),
    )
}

function describeFailure(error: unknown): { text: string; code: number } | undefined {
  if (error instanceof ConfigurationError) {
    return { text: error.message, code: exitCode.badConfiguration }
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

async function migrateDatabase(): Promise<void> {
  const environment = readEnvironment(DomainEnvironment, process.env)
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

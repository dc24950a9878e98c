import { ConfigurationError, readEnvironment, variable } from '@svc/process/env'
import { run } from '@svc/process/run'
import { Command, CommanderError } from 'commander'
import { z } from 'zod'
import { migrate } from './migrate.ts'

const Environment = z.object({
  DATABASE_URL: variable('DATABASE_URL'),
  SVC_DATABASE_DIRECT_URL: variable('SVC_DATABASE_DIRECT_URL').optional(),
  SVC_SECRET_KEYS: variable('SVC_SECRET_KEYS'),
})

const badConfiguration = 78

run('svc-admin', async () => {
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
  try {
    await program.parseAsync(process.argv)
    return 0
  } catch (error) {
    // commander has said it already
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    if (!(error instanceof ConfigurationError)) throw error
    process.stderr.write(`svc-admin: ${error.message}\n`)
    return badConfiguration
  }
})

async function migrateDatabase(): Promise<void> {
  const environment = readEnvironment(Environment, process.env)
  const applied = await migrate({
    databaseUrl: environment.SVC_DATABASE_DIRECT_URL ?? environment.DATABASE_URL,
    secretKeys: environment.SVC_SECRET_KEYS,
  })
  process.stdout.write(
    applied.length === 0
      ? 'The database is at this version already.\n'
      : `Applied: ${applied.join(', ')}\n`,
  )
}

import { relative } from 'node:path'
import { isServiceError } from '@svc/contracts/errors'
import { type Cli, credentialsOf } from '../cli.ts'
import { type Credentials, standaloneFile } from '../credentials.ts'
import { exitCode } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'
import { shellWord } from '@svc/contracts/shell-words'

/** What starts the service that is meant, where it is the one that runs from this checkout. */
export function startOf(cli: Cli, { source }: Pick<Credentials, 'source'>): string | undefined {
  if (cli.repositoryRoot === undefined || source !== standaloneFile(cli)) return undefined
  const root = cli.repositoryRoot.replace(/(?<=.)\/$/, '')
  return relative(root, process.cwd()) === ''
    ? 'npm start'
    : `npm --prefix ${shellWord(root)} start`
}

/** A service that is busy, or something else that answered, needs no start. */
export async function sayHowToStart(cli: Cli, error: Error): Promise<Error> {
  if (error.cause === undefined || isServiceError(error.cause)) return error
  const credentials = await credentialsOf(cli).catch(() => undefined)
  const start = credentials && startOf(cli, credentials)
  if (start === undefined) return error
  const message = `${error.message} If not, start it with ${start}`
  return new CommandFailure('unreachable', message, exitCode.unreachable, { cause: error })
}

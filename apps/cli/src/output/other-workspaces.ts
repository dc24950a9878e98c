import { type Cli, credentialsOf } from '../cli.ts'
import { credentialFiles, readCredentials, sameOrigin } from '../credentials.ts'
import { exitCode } from './exit-codes.ts'
import { CommandFailure, textOf } from './failure.ts'

/** What is not in one workspace may be in another that this machine is signed in to, as the newest login counts. */
export async function sayWhereElse(cli: Cli, error: unknown): Promise<unknown> {
  // whoever is signed in nowhere has looked for it nowhere
  const meant = await credentialsOf(cli).catch(() => undefined)
  if (meant?.workspace === undefined) return error
  const { baseUrl, workspace } = meant
  const known = credentialFiles(cli)
    .flatMap(readCredentials)
    .filter((one) => sameOrigin(one.baseUrl, baseUrl))
  const others = new Set(known.map((one) => one.workspace).filter((one) => one !== undefined))
  others.delete(workspace)
  if (others.size === 0) return error
  const names = [...others].map((one) => `--workspace ${one}`).join(', ')
  const message = `${textOf(error)} It was looked for in ${workspace}; this machine is signed in elsewhere, too: ${names}.`
  return new CommandFailure('not_found', message, exitCode.notFound, { cause: error })
}

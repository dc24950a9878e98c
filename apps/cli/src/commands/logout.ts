import { isServiceError } from '@svc/contracts/errors'
import type { Command } from 'commander'
import { type Cli, print } from '../cli.ts'
import {
  type Credentials,
  givenUrl,
  isMeant,
  ownCredentialFile,
  readCredentials,
} from '../credentials.ts'
import { exitCode } from '../output/exit-codes.ts'
import { CommandFailure } from '../output/failure.ts'

export function define(command: Command, cli: Cli): void {
  command.addHelpText('after', help).action(() => logout(cli))
}

const help = `
Ends the token that svc login got, with all that it minted, such as that of a runner on this machine, and removes it
from this machine.
Tokens of SVC_USER_TOKEN and --token-file are not touched: svc tokens revoke ends those.

Examples:
  svc logout
  svc logout --workspace acme
  svc logout --url https://svc.example.com`

async function logout(cli: Cli): Promise<void> {
  const path = ownCredentialFile(cli)
  const { baseUrl, token, workspace } = signedInAt(cli, readCredentials(path))
  const wasAlive = await revoke({ baseUrl, token })
  const { removeCredentials } = await import('../login/keep-credentials.ts')
  removeCredentials(path, { token })
  const how = wasAlive ? 'the token is dead' : 'the token was dead already'
  const of = workspace === undefined ? baseUrl : `${workspace} at ${baseUrl}`
  const [next] = readCredentials(path)
  const left = next
    ? `\nwhat is asked now is asked of ${next.workspace ?? 'another login'} at ${next.baseUrl}`
    : ''
  await print(
    cli,
    { baseUrl, workspace, revoked: wasAlive },
    () => `signed out of ${of}: ${how}${left}`,
  )
}

function signedInAt({ env, settings }: Cli, known: readonly Credentials[]): Credentials {
  const { workspace } = settings
  const url = givenUrl({ env, url: settings.url })
  const found = known.find((one) => isMeant(one, { url, workspace }))
  if (found) return found
  throw new CommandFailure(
    'no_credential',
    `Nobody signed in here${url ? ` to ${url}` : ''}${workspace ? ` for ${workspace}` : ''} by svc login: there is nothing to end.`,
    exitCode.credential,
  )
}

/** Throws where the service cannot be reached: a token that is removed here only would live on, and nobody would know it. */
async function revoke({
  baseUrl,
  token,
}: Pick<Credentials, 'baseUrl' | 'token'>): Promise<boolean> {
  const { createClient } = await import('@svc/client/client')
  try {
    await createClient({ baseUrl, token }).call('revokeCurrentUserToken', {})
    return true
  } catch (error) {
    if (isServiceError(error) && error.code === 'unauthenticated') return false
    throw error
  }
}

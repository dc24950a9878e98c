import { type Home, defaultHome, homeAt, openHome } from '@svc/runner/files/home'
import { resolve } from 'node:path'
import type { Cli } from './cli.ts'
import { keptCredentials } from './credentials.ts'

export const homeOption = [
  '--runner-home <path>',
  'folder of the runner; else SVC_RUNNER_HOME, else that of the login, as npm start and a second one have it, else ~/.svc/runner',
] as const

export interface HomeOption {
  runnerHome?: string
}

/** The option, the environment, what is kept with the credentials that are meant, or the person's own. */
export async function runnerHomeOf(cli: Cli, given?: string): Promise<Home> {
  return openHome(runnerFolder(cli, given))
}

/** The same for who only looks into it: nothing is made where no runner ever was. */
export function runnerHomeToRead(cli: Cli): Home {
  return homeAt(resolve(runnerFolder(cli)))
}

/** As it is named, whether it is there or not. */
export function runnerFolder(cli: Cli, given?: string): string {
  return given ?? homeNextToCredentials(cli) ?? defaultHome(cli.env)
}

function homeNextToCredentials({ env, repositoryRoot, settings }: Cli): string | undefined {
  const { url, tokenFile, workspace } = settings
  // a token that is given is of no login that is kept here
  if (env['SVC_RUNNER_HOME'] || tokenFile || env['SVC_USER_TOKEN']) return undefined
  return keptCredentials({ env, repositoryRoot, url, workspace })?.runnerHome
}

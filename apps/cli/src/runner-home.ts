import { type Home, defaultHome, homeAt, openHome } from '@svc/runner/files/home'
import { resolve } from 'node:path'
import type { Cli } from './cli.ts'
import { keptCredentials } from './credentials.ts'

export const homeOption = [
  '--runner-home <path>',
  'folder of the runner; else SVC_RUNNER_HOME, else that of npm start where its service is meant, else ~/.svc/runner',
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
  const { url, workspace } = settings
  const isElsewhere = url || env['SVC_BACKEND_URL'] || env['SVC_BASE_URL']
  if (env['SVC_RUNNER_HOME'] || (isElsewhere && workspace === undefined)) return undefined
  return keptCredentials({ env, repositoryRoot, url, workspace })?.runnerHome
}

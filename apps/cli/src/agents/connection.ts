import { resolve } from 'node:path'
import { type Cli, credentialsOf } from '../cli.ts'
import { findService, givenUrl } from '../credentials.ts'
import { CommandFailure, usageFailure } from '../output/failure.ts'
import type { Mode, StartCommand } from './agent-tools.ts'
import type { Connection } from './set-up.ts'

export interface Wish {
  hosted?: true
  local?: true
  /** The folder of a project whose file is meant. */
  project?: string
}

/** How an agent is to reach the service: as it is asked for, else as it works without another step. */
export async function connectionFor(cli: Cli, wish: Wish): Promise<Connection> {
  if (wish.local && wish.project !== undefined) {
    throw usageFailure(
      "A project's file is for other machines too, and --local is of this one: leave one of them out.",
    )
  }
  const mode = await modeFor(cli, wish)
  if (mode === 'local') return { mode, start: await startCommand(cli) }
  const { env, repositoryRoot, settings } = cli
  const { url, workspace } = settings
  const baseUrl = findService({ env, repositoryRoot, url, workspace })
  return { mode, url: `${baseUrl}/mcp` }
}

async function modeFor(cli: Cli, { hosted, local, project }: Wish): Promise<Mode> {
  if (local) return 'local'
  if (hosted || project !== undefined) return 'hosted'
  return (await isSignedIn(cli)) ? 'local' : 'hosted'
}

/** A token in a variable of this shell is none that an agent would have. */
async function isSignedIn(cli: Cli): Promise<boolean> {
  if (hasVariableAlone(cli)) return false
  try {
    await credentialsOf(cli)
    return true
  } catch (error) {
    // of a workspace that is named nothing is guessed
    const mayGuess = cli.settings.workspace === undefined
    if (mayGuess && error instanceof CommandFailure && error.code === 'no_credential') return false
    throw error
  }
}

function hasVariableAlone({ env, settings }: Cli): boolean {
  return settings.tokenFile === undefined && Boolean(env['SVC_USER_TOKEN'])
}

/** Of Node: it waits most of its time, once for each agent. */
export const connectorOptions = ['--optimize-for-size', '--single-threaded', '--expose-gc'] as const

/** The command in whole paths, with what this shell says of the service: an agent is started elsewhere, by others. */
async function startCommand(cli: Cli): Promise<StartCommand> {
  const { env, main, settings } = cli
  if (hasVariableAlone(cli)) {
    throw usageFailure(
      'SVC_USER_TOKEN is known in this shell alone: give --token-file <path> for --local, or --hosted.',
    )
  }
  const url = givenUrl({ env, url: settings.url })
  const { tokenFile } = settings
  // a later login to another workspace is to change nothing for the agent
  const { workspace } = tokenFile ? {} : await credentialsOf(cli).catch(() => settings)
  const [data, config] = [env['SVC_DATA_DIR'], env['XDG_CONFIG_HOME']]
  return {
    command: process.execPath,
    args: [
      ...connectorOptions,
      main,
      ...(url ? ['--url', url] : []),
      ...(tokenFile ? ['--token-file', resolve(tokenFile)] : []),
      ...(workspace ? ['--workspace', workspace] : []),
      'mcp',
    ],
    env: {
      ...(data && { SVC_DATA_DIR: resolve(cli.repositoryRoot ?? '', data) }),
      ...(config && { XDG_CONFIG_HOME: config }),
    },
  }
}

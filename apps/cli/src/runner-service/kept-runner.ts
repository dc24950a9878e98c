import { join, resolve } from 'node:path'
import { type Home, homeAt } from '@svc/runner/files/home'
import { type Cli, credentialsOf } from '../cli.ts'
import { ownToken } from '../credentials.ts'
import { runnerFolder } from '../runner-home.ts'
import type { StartOptions } from '../start-options.ts'

/** A runner as a service manager of the machine starts it: nothing of the shell reaches it but what stands here. */
export interface KeptRunner {
  readonly baseUrl: string
  readonly home: Home
  /** The program and its arguments, in whole paths and without a credential. */
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** What the runner and its agents have in their environment in addition, as a person writes it down. */
  readonly environmentFile: string
  /** A token that this shell alone knows, and the file that is to hold it. */
  readonly token: { readonly file: string; readonly text: string } | undefined
}

export async function keptRunner(cli: Cli, choices: StartOptions): Promise<KeptRunner> {
  const { baseUrl, workspace } = await credentialsOf(cli)
  const home = homeAt(resolve(runnerFolder(cli, choices.runnerHome)))
  const environmentFile = join(home.folder, 'service.env')
  const text = ownToken(cli.env)
  const token =
    cli.settings.tokenFile === undefined && text !== undefined
      ? { file: join(home.folder, 'service-token'), text }
      : undefined
  const tokenFile = cli.settings.tokenFile ? resolve(cli.settings.tokenFile) : token?.file
  const command = [
    process.execPath,
    `--env-file-if-exists=${environmentFile}`,
    cli.main,
    '--url',
    baseUrl,
    ...(tokenFile ? ['--token-file', tokenFile] : []),
    // a later login to another workspace is to change nothing here
    ...(workspace === undefined ? [] : ['--workspace', workspace]),
    'runner',
    'start',
    '--leave-runs',
    '--runner-home',
    home.folder,
    ...startWords(choices),
  ]
  return { baseUrl, home, command, env: environmentOf(cli), environmentFile, token }
}

function startWords({ label, max, project, agent, agentToken, maxRights }: StartOptions): string[] {
  return [
    ...(label === undefined ? [] : ['--label', label]),
    ...(max === undefined ? [] : ['--max', max]),
    ...project.flatMap((one) => ['--project', one]),
    ...agent.flatMap((one) => ['--agent', one]),
    ...(agentToken === undefined ? [] : ['--agent-token', agentToken]),
    ...(maxRights === undefined ? [] : ['--max-rights', maxRights]),
  ]
}

/** Where programs lie, the agents among them, where this shell says that credentials do, and what it lets agents do at most. */
function environmentOf({ env, repositoryRoot }: Cli): Record<string, string> {
  const { PATH = '', XDG_CONFIG_HOME: config, SVC_DATA_DIR: data } = env
  const rights = env['SVC_RUNNER_MAX_RIGHTS']
  return {
    PATH,
    ...(config && { XDG_CONFIG_HOME: config }),
    ...(data && { SVC_DATA_DIR: resolve(repositoryRoot ?? '', data) }),
    ...(rights && { SVC_RUNNER_MAX_RIGHTS: rights }),
  }
}

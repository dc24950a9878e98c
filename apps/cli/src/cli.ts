import type { Client } from '@svc/client/client'
import type { Credentials } from './credentials.ts'
import { jsonText } from './output/terminal.ts'

/** What a command acts through: its streams, its environment, and the service once it is asked for. */
export interface Cli {
  readonly env: NodeJS.ProcessEnv
  readonly stdout: NodeJS.WritableStream
  readonly stderr: NodeJS.WritableStream
  /** Aborted when the reader of stdout has gone. */
  readonly signal: AbortSignal
  /** Asks the person at the terminal, where there is one. */
  readonly ask?: ((question: string) => Promise<string>) | undefined
  /** The module that Node starts it by. */
  readonly main: string
  /** The checkout that it runs from, below which `npm start` keeps its data; undefined where it was installed. */
  readonly repositoryRoot: string | undefined
  readonly settings: Settings
}

/** The options that every command has. */
export interface Settings {
  json?: boolean
  url?: string
  tokenFile?: string
  workspace?: string
  /** All of the command line, as it was given. */
  line?: readonly string[]
}

export async function credentialsOf(cli: Cli): Promise<Credentials> {
  const { findCredentials } = await import('./credentials.ts')
  const { url, tokenFile, workspace } = cli.settings
  const { env, repositoryRoot } = cli
  return findCredentials({ env, repositoryRoot, url, tokenFile, workspace })
}

export async function openClient(cli: Cli, device?: string): Promise<Client> {
  const { baseUrl, token } = await credentialsOf(cli)
  const { createClient } = await import('@svc/client/client')
  const { warnOfOtherVersion } = await import('./output/other-version.ts')
  const onOtherVersion = (served: string) => warnOfOtherVersion(cli, served)
  return createClient({ baseUrl, token, onOtherVersion, ...(device !== undefined && { device }) })
}

/** The result: JSON with --json, else what `human` makes of it. */
export async function print(cli: Cli, value: unknown, human: () => string | Promise<string>) {
  await write(cli, cli.settings.json ? jsonText(value) : await human())
}

export async function printJson(cli: Cli, value: unknown): Promise<void> {
  await write(cli, jsonText(value))
}

/** One line or block on stdout; a reader that has gone is no error. */
export function write(cli: Cli, text: string): Promise<void> {
  return new Promise((resolve) => {
    cli.stdout.write(text === '' || text.endsWith('\n') ? text : `${text}\n`, () => resolve())
  })
}

/** Progress and warnings. */
export function say(cli: Cli, text: string): void {
  cli.stderr.write(`${text}\n`)
}

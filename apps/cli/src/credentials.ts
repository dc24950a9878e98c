import { readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { environmentVariables } from '@svc/contracts/environment'
import { exitCode } from './output/exit-codes.ts'
import { CommandFailure, usageFailure } from './output/failure.ts'

export interface Credentials {
  baseUrl: string
  token: string
  /** Where they came from, for people. */
  source: string
  /** Given by options or variables, and not by a file with a person's own. */
  isFromEnvironment: boolean
  /** Slug of the workspace that the token is of, when the file names it. */
  workspace?: string
  /** Home of the runner that belongs to this service and workspace on this machine, when the file names one. */
  runnerHome?: string
}

export interface CredentialSources {
  env: NodeJS.ProcessEnv
  /** `--url` and `--token-file`. */
  url?: string | undefined
  tokenFile?: string | undefined
  /** `--workspace`: which of the logins at one service is meant. */
  workspace?: string | undefined
  /** The checkout of this program, below which the standalone app keeps its data; undefined where it was installed. */
  repositoryRoot: string | undefined
}

/**
 * Options first, then the environment, then the person's own file, then the standalone app's. An address without a
 * token takes the token of a file only when that file is for the same address.
 */
export function findCredentials(sources: CredentialSources): Credentials {
  const { env } = sources
  const url = givenUrl(sources)
  const { tokenFile, workspace } = sources
  const token = tokenFile ? checkedToken(tokenFile, readToken(tokenFile)) : ownToken(env)
  // in a run the token is that of its objective, whatever the settings of the agent name
  if (token && workspace !== undefined && !env['SVC_EXECUTION_REQUEST_ID'])
    throw usageFailure(
      `A token is of one workspace, so --workspace ${workspace} chooses none: ${tokenFile ? 'leave one of it and --token-file out' : 'leave it out, or unset SVC_USER_TOKEN'}.`,
    )
  if (url && token)
    return {
      baseUrl: checkedUrl(url),
      token,
      source: 'options and environment',
      isFromEnvironment: true,
    }
  if (token) throw unconfigured('A token is set but no address: set SVC_BACKEND_URL or give --url.')
  const usable = keptCredentials(sources)
  if (usable) return usable
  if (workspace !== undefined)
    throw unconfigured(
      `No login is known for the workspace ${workspace}${url ? ` at ${url}` : ''}: run svc login${url ? ` --url ${url}` : ''} --workspace ${workspace}.`,
    )
  if (url)
    throw unconfigured(
      `No token is known for ${url}: run svc login --url ${url}, or set SVC_USER_TOKEN.`,
    )
  const start = sources.repositoryRoot === undefined ? '' : 'npm start, or '
  throw unconfigured(`No service is known: run ${start}svc login --url <address>.`)
}

/** What the files hold for the service and the workspace that are meant: the first where none is named. */
export function keptCredentials(sources: CredentialSources): Credentials | undefined {
  const url = givenUrl(sources)
  const { workspace } = sources
  const [found, ...more] = credentialFiles(sources)
    .flatMap(readCredentials)
    .filter((known) => isMeant(known, { url, workspace }))
  const other = more.find(({ baseUrl }) => found && !sameOrigin(baseUrl, found.baseUrl))
  if (found && other && workspace !== undefined) {
    throw usageFailure(
      `There is a workspace ${workspace} at ${found.baseUrl} and one at ${other.baseUrl}: say which by --url.`,
    )
  }
  return found
}

/** Whether it is of this service and this workspace, as far as they are named. */
export function isMeant(
  known: Pick<Credentials, 'baseUrl' | 'workspace'>,
  { url, workspace }: { url: string | undefined; workspace: string | undefined },
): boolean {
  const isThere = url === undefined || sameOrigin(known.baseUrl, url)
  return isThere && (workspace === undefined || known.workspace === workspace)
}

/** The one that the environment names. */
export function ownToken(env: NodeJS.ProcessEnv): string | undefined {
  const text = env['SVC_USER_TOKEN']
  return text ? checkedToken('SVC_USER_TOKEN', text.trim()) : undefined
}

/** Where to sign in: as it is named, else where one is or was signed in last. */
export function findService(sources: CredentialSources): string {
  const url = givenUrl(sources)
  if (url) return checkedUrl(url)
  const all = credentialFiles(sources).flatMap(readCredentials)
  const known = all.find(({ workspace }) => workspace === sources.workspace) ?? all[0]
  if (known) return known.baseUrl
  throw unconfigured('No service is known: name it, as in svc login --url https://svc.example.com.')
}

/** What the command line or the environment says. */
export function givenUrl({ env, url }: Pick<CredentialSources, 'env' | 'url'>): string | undefined {
  return url ?? env['SVC_BACKEND_URL'] ?? env['SVC_BASE_URL']
}

export function credentialFiles(sources: CredentialSources): string[] {
  return [ownCredentialFile(sources), standaloneFile(sources)].filter((path) => path !== undefined)
}

/** Written by the service that npm start runs from this checkout. An installed program knows one that is named alone. */
export function standaloneFile({ env, repositoryRoot }: CredentialSources): string | undefined {
  const named = env['SVC_DATA_DIR']
  if (repositoryRoot === undefined) return named ? join(resolve(named), 'owner.json') : undefined
  const data = named || environmentVariables.SVC_DATA_DIR.default
  return join(resolve(repositoryRoot, data), 'owner.json')
}

/** The person's own, which signing in writes. */
export function ownCredentialFile({ env }: Pick<CredentialSources, 'env'>): string {
  const config = env['XDG_CONFIG_HOME'] || join(env['HOME'] || homedir(), '.config')
  return join(config, 'svc', 'credentials.json')
}

/** The one that counts where none is named comes first; `others` holds those of further services and workspaces. */
export function readCredentials(path: string): Credentials[] {
  const text = readPrivateFile(path)
  if (text === undefined) return []
  const { others = [], ...first } = parseObject(path, text)
  if (!Array.isArray(others)) throw unusable(path)
  return [first, ...others.map((other) => Object(other))].map((entry) => readEntry(path, entry))
}

function readEntry(
  path: string,
  { baseUrl, token, workspace, runnerHome }: Record<string, unknown>,
): Credentials {
  if (typeof baseUrl !== 'string' || typeof token !== 'string') throw unusable(path)
  const more = {
    ...(typeof workspace === 'string' && { workspace }),
    ...(typeof runnerHome === 'string' && { runnerHome }),
  }
  return {
    baseUrl: checkedUrl(baseUrl),
    token: checkedToken(path, token),
    source: path,
    isFromEnvironment: false,
    ...more,
  }
}

function unusable(path: string): CommandFailure {
  return unconfigured(`${path} lacks baseUrl or token: write both, or remove the file.`)
}

function parseObject(path: string, text: string): Record<string, unknown> {
  try {
    // What is neither array nor null can be read by key; each key is tested by who reads it.
    return Object(JSON.parse(text)) as Record<string, unknown>
  } catch (cause) {
    throw unconfigured(`${path} is not JSON: correct it, or remove the file.`, cause)
  }
}

function readToken(path: string): string {
  const text = readPrivateFile(path)?.trim()
  if (!text) throw unconfigured(`${path} holds no token: write one into it, mode 0600.`)
  return text
}

/** Undefined when there is none. A file that others can read is refused: its token may be theirs by now. */
function readPrivateFile(path: string): string | undefined {
  try {
    const { mode } = statSync(path)
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      throw unconfigured(`Others can read ${path}: run chmod 600 ${quoted(path)} and try again.`)
    }
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof CommandFailure) throw error
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw unconfigured(`${path} cannot be read (${String(code)}): check who owns it.`, error)
  }
}

function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`
}

/** A token that no header can carry would be reported as a service that cannot be reached. */
function checkedToken(source: string, token: string): string {
  if (/^[\x21-\x7e]*$/.test(token)) return token
  throw unconfigured(`${source} holds more than a token: leave the token alone in it.`)
}

export function checkedUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return text.replace(/\/+$/, '')
  throw usageFailure(`${text} is no address: give one such as http://127.0.0.1:4600.`)
}

export function sameOrigin(one: string, other: string): boolean {
  return new URL(one).origin === new URL(checkedUrl(other)).origin
}

function unconfigured(message: string, cause?: unknown): CommandFailure {
  return new CommandFailure('no_credential', message, exitCode.credential, { cause })
}

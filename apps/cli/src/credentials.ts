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
  /** Home of the runner that belongs to this service on this machine, when the file names one. */
  runnerHome?: string
}

export interface CredentialPlaces {
  env: NodeJS.ProcessEnv
  /** `--url` and `--token-file`. */
  url?: string | undefined
  tokenFile?: string | undefined
  /** The checkout of this program, below which the standalone app keeps its data. */
  repositoryRoot: string
}

/**
 * Options first, then the environment, then the person's own file, then the standalone app's. An address without a
 * token takes the token of a file only when that file is for the same address.
 */
export function findCredentials(places: CredentialPlaces): Credentials {
  const { env } = places
  const url = givenUrl(places)
  const token = places.tokenFile ? readToken(places.tokenFile) : env['SVC_USER_TOKEN']
  if (url && token)
    return {
      baseUrl: checkedUrl(url),
      token,
      source: 'options and environment',
      isFromEnvironment: true,
    }
  if (token) throw unconfigured('A token is set but no address: set SVC_BACKEND_URL or give --url.')
  const found = credentialFiles(places).map(readCredentials)
  const usable = found.find((file) => file && (!url || sameOrigin(file.baseUrl, url)))
  if (usable) return usable
  if (url)
    throw unconfigured(`No token is known for ${url}: set SVC_USER_TOKEN or give --token-file.`)
  throw unconfigured(
    'No service is known: run npm start, or set SVC_BACKEND_URL and SVC_USER_TOKEN.',
  )
}

/** Where the service is, for what needs no token. */
export function findServiceUrl(places: CredentialPlaces): string {
  const url = givenUrl(places)
  if (url) return checkedUrl(url)
  const found = credentialFiles(places)
    .map(readCredentials)
    .find((file) => file !== undefined)
  if (found) return found.baseUrl
  throw unconfigured('No service is known: run npm start, or give --url.')
}

/** What the command line or the environment says. */
export function givenUrl({ env, url }: Pick<CredentialPlaces, 'env' | 'url'>): string | undefined {
  return url ?? env['SVC_BACKEND_URL'] ?? env['SVC_BASE_URL']
}

export function credentialFiles({ env, repositoryRoot }: CredentialPlaces): string[] {
  const config = env['XDG_CONFIG_HOME'] || join(env['HOME'] || homedir(), '.config')
  const data = resolve(
    repositoryRoot,
    env['SVC_DATA_DIR'] || environmentVariables.SVC_DATA_DIR.default,
  )
  return [join(config, 'svc', 'credentials.json'), join(data, 'owner.json')]
}

export function readCredentials(path: string): Credentials | undefined {
  const text = readPrivateFile(path)
  if (text === undefined) return undefined
  const { baseUrl, token, runnerHome } = parseObject(path, text)
  if (typeof baseUrl === 'string' && typeof token === 'string') {
    const home = typeof runnerHome === 'string' ? { runnerHome } : {}
    return { baseUrl: checkedUrl(baseUrl), token, source: path, isFromEnvironment: false, ...home }
  }
  throw unconfigured(`${path} lacks baseUrl or token: write both, or remove the file.`)
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

function checkedUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return text.replace(/\/+$/, '')
  throw usageFailure(`${text} is no address: give one such as http://127.0.0.1:4600.`)
}

function sameOrigin(one: string, other: string): boolean {
  return new URL(one).origin === new URL(checkedUrl(other)).origin
}

function unconfigured(message: string, cause?: unknown): CommandFailure {
  return new CommandFailure('no_credential', message, exitCode.credential, { cause })
}

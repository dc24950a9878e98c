import {
  type ChildProcess,
  type ExecFileException,
  type ExecFileOptions,
  execFile,
} from 'node:child_process'
import { statSync } from 'node:fs'
import { join, resolve as absolute } from 'node:path'
import { cutText } from '@svc/contracts/cut-text'
import { UnusableFile, readUntrusted } from '@svc/process/untrusted-file'
import { LaunchFailure } from '../launch-failure.ts'

const longestOutput = 64 * 1024 * 1024
const mostPointerBytes = 64 * 1024

/** What Git said when it refused; `stderr` is the person's to read. */
export class GitError extends Error {
  override readonly name = 'GitError'
  readonly stderr: string

  constructor(args: readonly string[], stderr: string, options?: ErrorOptions) {
    super(`git ${args[0] ?? ''} failed: ${stderr.trim() || 'without a message'}`, options)
    this.stderr = stderr
  }

  /** All that it said, in one line. */
  get said(): string {
    const lines = this.stderr.split('\n').map((line) => line.trim())
    const text = lines.filter((line) => line !== '' && !line.startsWith('hint: ')).join('; ')
    return cutText(text || 'it did not say why', 300)
  }
}

/** It printed more than was to be read, and was ended. */
export class LongOutput extends GitError {
  /** Whoever writes an error into a log leaves it out. */
  readonly #beginning: string

  constructor(args: readonly string[], beginning: string, options?: ErrorOptions) {
    super(args, 'it printed too much to be read', options)
    this.#beginning = beginning
  }

  /** What was read of it. */
  get beginning(): string {
    return this.#beginning
  }
}

/** A large repository takes its time to be written out. */
export const writeOutMs = 5 * 60_000

export interface GitOptions {
  signal?: AbortSignal | undefined
  timeoutMs?: number
  /** What it prints beyond is a LongOutput. */
  mostBytes?: number
  /** Called for every wait for others, the time of which is not counted for the caller. */
  whileWaiting?: <T>(wait: () => Promise<T>) => Promise<T>
}

/** Standard output of one Git command. Refusals are a GitError; what no command could cure is a LaunchFailure. */
export async function git(
  cwd: string,
  args: readonly string[],
  options: GitOptions = {},
): Promise<string> {
  return await gitWith({}, cwd, args, options)
}

/** As `git`, with variables of its own for this one command. */
export async function gitWith(
  variables: Readonly<Record<string, string>>,
  cwd: string,
  args: readonly string[],
  { signal, timeoutMs = 60_000, mostBytes = longestOutput }: GitOptions = {},
): Promise<string> {
  signal?.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const options = {
    cwd,
    env: { ...gitEnvironment(process.env, args), ...variables },
    timeout: timeoutMs,
    maxBuffer: mostBytes,
    ...(signal && { signal }),
  }
  const child = startGit(args, options, (error, stdout, stderr) => {
    const settle = () => {
      if (error === null) resolve(stdout)
      else if (signal?.aborted) reject(signal.reason)
      else if (isTooLong(error)) reject(new LongOutput(args, stdout, { cause: error }))
      else reject(explain(error, args, cwd, stderr))
    }
    const isAtWork = child.pid !== undefined && child.exitCode === null && child.signalCode === null
    // an abort is reported before Git has ended: it may still write what the next one reads
    if (isAtWork) child.once('exit', settle)
    else settle()
  })
  return await promise
}

/**
 * Node throws some of what keeps a process from starting, as a file in place of its folder, and reports the rest later.
 */
function startGit(
  args: readonly string[],
  options: ExecFileOptions & { cwd: string },
  onEnd: (error: ExecFileException | null, stdout: string, stderr: string) => void,
): ChildProcess {
  try {
    return execFile('git', safeArguments(args), { ...options, encoding: 'utf8' }, onEnd)
  } catch (error) {
    if (error instanceof Error) throw explain(error, args, options.cwd, '')
    throw error
  }
}

/**
 * An agent may write into the configuration of its repository, and what Git runs for the supervisor runs outside of the
 * agent's sandbox. Nothing that only looks may start a program that stands there.
 */
const quiet = [
  ['core.quotePath', 'false'],
  ['core.fsmonitor', 'false'],
  // addresses that are commands: off unless somebody has switched them on
  ['protocol.ext.allow', 'never'],
].flatMap(([name, value]) => ['-c', `${name}=${value}`])
const noHooks = ['-c', 'core.hooksPath=/dev/null']

/** What writes files out, merges or pushes has the hooks of its person, as of Git LFS. */
const hooked: readonly string[] = ['switch', 'worktree', 'merge', 'submodule', 'push']

function takesHooks([command = '']: readonly string[]): boolean {
  return hooked.includes(command)
}

/**
 * What writes files out, merges or asks a remote may get what a partial clone left there. Everything else only looks: Git
 * would start the program that the repository's configuration names for that.
 */
const reaching: readonly string[] = [
  'clone',
  'switch',
  'merge',
  'submodule',
  'push',
  'fetch',
  'ls-remote',
]

function mayReach([command = '', verb]: readonly string[]): boolean {
  return reaching.includes(command) || (command === 'worktree' && verb === 'add')
}

/** The second is for a Git before 2.45, most of which do not know the first. */
const atHome = { GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: '' }

/** As `git`, with undefined in place of a refusal. */
export async function gitIfPossible(
  cwd: string,
  args: readonly string[],
  options: GitOptions = {},
): Promise<string | undefined> {
  try {
    return await git(cwd, args, options)
  } catch (error) {
    if (error instanceof GitError) return undefined
    throw error
  }
}

/**
 * Where Git keeps a file of that name for this checkout or worktree alone; undefined where there is no repository. Read
 * without a process: also a machine that can start none has to find out who is in a checkout.
 */
export function gitPath(checkout: string, name: string): string | undefined {
  const entry = join(checkout, '.git')
  const found = statSync(entry, { throwIfNoEntry: false })
  if (found === undefined || found.isDirectory()) return found && join(entry, name)
  const pointer = /^gitdir: (.+)$/m.exec(pointerIn(entry))?.[1]
  return pointer === undefined ? undefined : join(absolute(checkout, pointer), name)
}

/** Empty where something else than a file is in its place: an agent can put a pipe there. */
function pointerIn(entry: string): string {
  try {
    return readUntrusted(entry, mostPointerBytes, { followLinks: true }) ?? ''
  } catch (error) {
    if (error instanceof UnusableFile) return ''
    throw error
  }
}

/** Git's own folder of the repository, which all its worktrees share. */
export async function gitFolderOf(checkout: string): Promise<string> {
  const printed = await git(checkout, ['rev-parse', '--git-common-dir'])
  return absolute(checkout, printed.replace(/\n$/, ''))
}

export function safeArguments(args: readonly string[]): string[] {
  return [...quiet, ...(takesHooks(args) ? [] : noHooks), ...args]
}

/**
 * The environment for Git: without variables that would lead it elsewhere or make it ask, and without those of the
 * service, such as its token.
 */
export function gitEnvironment(env: NodeJS.ProcessEnv, args: readonly string[]): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(
    ([name]) =>
      !/^(GIT|SVC)_/.test(name) || /^GIT_(SSH|SSH_COMMAND|CONFIG_GLOBAL|SSL_.*)$/.test(name),
  )
  return {
    ...Object.fromEntries(kept),
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    ...(!mayReach(args) && atHome),
    LC_ALL: 'C',
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

function isTooLong(error: Error): boolean {
  return 'code' in error && error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER'
}

export function explain(error: Error, args: readonly string[], cwd: string, stderr: string): Error {
  if (!isFolder(cwd)) return new GitError(args, `${cwd} is gone`, { cause: error })
  if ('code' in error && error.code === 'ENOENT') {
    return refuse(
      'Git is not installed on this machine: install it and start the run again.',
      error,
    )
  }
  if (stderr.includes('dubious ownership')) {
    return refuse(
      `Git refuses ${cwd} because it belongs to another user: give it to this user, or run "git config --global --add safe.directory ${cwd}".`,
      error,
    )
  }
  return new GitError(args, stderr, { cause: error })
}

function refuse(message: string, cause: Error): LaunchFailure {
  return new LaunchFailure('bad_working_directory', message, 'prepare', { cause })
}

import { type ChildProcess, spawn } from 'node:child_process'
import { type GitOptions, explain, gitEnvironment, safeArguments } from './git.ts'

const mostSaid = 64 * 1024

interface StreamOptions extends GitOptions {
  hear: (bytes: Buffer) => void
}

/**
 * As `gitWith`, for output that may be long: it is handed on as it comes. When `mostBytes` of it have come, Git is ended, which
 * the answer says.
 */
export async function streamGit(
  variables: Readonly<Record<string, string>>,
  cwd: string,
  args: readonly string[],
  { hear, signal, timeoutMs = 60_000, mostBytes = Number.POSITIVE_INFINITY }: StreamOptions,
): Promise<{ isCut: boolean }> {
  signal?.throwIfAborted()
  let heard = 0
  let said = ''
  const child = startGit(variables, cwd, args, timeoutMs)
  const end = () => child.kill()
  signal?.addEventListener('abort', end, { once: true })
  child.stdout?.on('data', (bytes: Buffer) => {
    if (heard >= mostBytes) return
    heard += bytes.length
    hear(bytes)
    if (heard >= mostBytes) end()
  })
  child.stderr?.on('data', (bytes: Buffer) => {
    said = (said + bytes.toString('utf8')).slice(0, mostSaid)
  })
  try {
    // also one that is to end is waited for: it may still read what whoever called removes
    const failure = await ended(child)
    signal?.throwIfAborted()
    const isCut = heard >= mostBytes
    if (failure && !isCut) throw explain(failure, args, cwd, said)
    return { isCut }
  } finally {
    signal?.removeEventListener('abort', end)
  }
}

/** Node throws some of what keeps a process from starting, as a file in place of its folder, and reports the rest later. */
function startGit(
  variables: Readonly<Record<string, string>>,
  cwd: string,
  args: readonly string[],
  timeout: number,
): ChildProcess {
  try {
    return spawn('git', safeArguments(args), {
      cwd,
      env: { ...gitEnvironment(process.env, args), ...variables },
      timeout,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  } catch (error) {
    if (error instanceof Error) throw explain(error, args, cwd, '')
    throw error
  }
}

/** Undefined where it ended well. */
function ended(child: ChildProcess): Promise<Error | undefined> {
  const { promise, resolve } = Promise.withResolvers<Error | undefined>()
  child.once('error', resolve)
  child.once('close', (code, signal) =>
    resolve(code === 0 ? undefined : new Error(`it ended with ${signal ?? code}`)),
  )
  return promise
}

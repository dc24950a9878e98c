import { once } from 'node:events'
import { enableCompileCache } from 'node:module'
import { isatty } from 'node:tty'
import { fileURLToPath } from 'node:url'
import { compileCache } from '@svc/runner/files/compile-cache'
import { repositoryRoot } from './repository-root.ts'

// An agent calls this command often; a cache that cannot be written is done without.
enableCompileCache(compileCache)
const { runCommandLine } = await import('./program.ts')

const readerGone = new AbortController()
// A reader that has seen enough, such as head, ends the command quietly.
process.stdout.on('error', () => readerGone.abort())

const cli = {
  env: process.env,
  stdout: process.stdout,
  stderr: process.stderr,
  signal: readerGone.signal,
  ask: isatty(0) ? askPerson : undefined,
  main: fileURLToPath(import.meta.url),
  repositoryRoot,
  settings: {},
}

/** On standard error: the result alone goes to standard output. */
async function askPerson(question: string): Promise<string> {
  const { createInterface } = await import('node:readline/promises')
  using terminal = createInterface({ input: process.stdin, output: process.stderr })
  // Ctrl-C and Ctrl-D close it, and Node says so in one way or the other
  const closed = once(terminal, 'close').then(() => '')
  return await Promise.race([terminal.question(question).catch(() => ''), closed])
}

process.exitCode = await runCommandLine(cli, process.argv.slice(2))

import { Writable } from 'node:stream'
import type { Cli } from '../cli.ts'
import { runCommandLine } from '../program.ts'

class Sink extends Writable {
  text = ''
  override _write(chunk: Buffer, _: string, done: () => void): void {
    this.text += chunk.toString()
    done()
  }
}

/** A command line with no terminal, no credentials but those in `env`, and its output kept. For tests. */
export function testCli(env: NodeJS.ProcessEnv) {
  const [stdout, stderr] = [new Sink(), new Sink()]
  const { signal } = new AbortController()
  const cli: Cli = {
    env: { HOME: '/nonexistent', ...env },
    stdout,
    stderr,
    signal,
    repositoryRoot: '/nonexistent',
    settings: {},
  }
  return { cli, stdout, stderr }
}

export async function runInTest(env: NodeJS.ProcessEnv, ...argv: string[]) {
  const { cli, stdout, stderr } = testCli(env)
  const code = await runCommandLine(cli, argv)
  return { code, stdout: stdout.text, stderr: stderr.text }
}

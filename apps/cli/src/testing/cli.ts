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

/** A command line with no terminal but for that answer of a person, no credentials but those in `env`, and its output kept. For tests. */
export function testCli(env: NodeJS.ProcessEnv, answer?: string) {
  const [stdout, stderr] = [new Sink(), new Sink()]
  const { signal } = new AbortController()
  const cli: Cli = {
    env: { HOME: '/nonexistent', ...env },
    stdout,
    stderr,
    signal,
    ...(answer !== undefined && { ask: async () => answer }),
    main: '/nonexistent/apps/cli/src/main.ts',
    repositoryRoot: '/nonexistent',
    settings: {},
  }
  return { cli, stdout, stderr }
}

export function runInTest(env: NodeJS.ProcessEnv, ...argv: string[]) {
  return run(testCli(env), argv)
}

export function runAndAnswer(answer: string, env: NodeJS.ProcessEnv, ...argv: string[]) {
  return run(testCli(env, answer), argv)
}

async function run({ cli, stdout, stderr }: ReturnType<typeof testCli>, argv: string[]) {
  const code = await runCommandLine(cli, argv)
  return { code, stdout: stdout.text, stderr: stderr.text }
}

import { spawn } from 'node:child_process'
import { gitIfPossible } from '@svc/runner/git/git'
import { type Cli, write } from '../cli.ts'

/** No shell, or what the shell says of a program that it cannot run or does not find. */
const cannotStart: ReadonlySet<number | null> = new Set([null, 126, 127])

/** A long text: through the pager that Git would take, where a person looks at a terminal; else as it is. */
export async function page(cli: Cli, text: string): Promise<void> {
  const pager = isTerminal(cli) ? await pagerOf(cli) : ''
  if (pager === '' || pager === 'cat') return write(cli, text)
  // as Git starts its own: what fits on the screen stays there
  const env = { LESS: 'FRX', LV: '-c', ...cli.env }
  const child = spawn('/bin/sh', ['-c', pager], { env, stdio: ['pipe', 'inherit', 'inherit'] })
  const { promise, resolve } = Promise.withResolvers<number | null>()
  child.once('error', () => resolve(null)).once('close', resolve)
  // a person who has read enough closes it
  child.stdin.on('error', () => undefined).end(text.endsWith('\n') ? text : `${text}\n`)
  if (cannotStart.has(await promise)) await write(cli, text)
}

function isTerminal({ stdout }: Cli): boolean {
  return stdout === process.stdout && process.stdout.isTTY
}

/** `$GIT_PAGER`, what Git is configured with, `$PAGER`, or the one that it was built with. */
async function pagerOf({ env }: Cli): Promise<string> {
  const given = env['GIT_PAGER']
  if (given !== undefined) return given
  return (await gitIfPossible(process.cwd(), ['var', 'GIT_PAGER']))?.trim() ?? ''
}

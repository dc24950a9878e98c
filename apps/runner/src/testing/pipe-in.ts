import { execFileSync, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'

/** A pipe in place of a file; whoever waits for it is given that text. */
export function pipeIn(path: string, text: string): Disposable {
  rmSync(path, { force: true })
  execFileSync('mkfifo', [path])
  // whoever reads has come to its end before the next one begins
  const script = 'while :; do printf %s "$1" > "$0"; sleep 1; done'
  const feeder = spawn('/bin/sh', ['-c', script, path, text], { stdio: 'ignore' })
  return { [Symbol.dispose]: () => void feeder.kill('SIGKILL') }
}

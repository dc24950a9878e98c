import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect } from 'vitest'

export const children = new Set<ChildProcess>()

export const prelude = `
  import { ConfigurationError } from './env.ts'
  import { run } from './run.ts'
  const say = (text) => process.stdout.write(text + '\\n')
  const thing = (name, ms = 0) => ({
    async [Symbol.asyncDispose]() {
      say('closing ' + name)
      await new Promise((resolve) => setTimeout(resolve, ms))
      say('closed ' + name)
    },
  })
  const forever = () => new Promise(() => setInterval(() => {}, 1000))
`

/** A real process that runs `body` as the main function. */
export function start(body: string, env: Record<string, string> = {}) {
  const source = `${prelude}; run('test', async ({ log, open, signal, onSecondSignal }) => { ${body} })`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', source], {
    cwd: join(import.meta.dirname, '..'),
    env: { PATH: process.env['PATH'], SVC_LOG_LEVEL: 'fatal', ...env },
  })
  children.add(child)
  let output = ''
  let errors = ''
  child.stdout.on('data', (chunk) => (output += String(chunk)))
  child.stderr.on('data', (chunk) => (errors += String(chunk)))
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, output, errors }))
  const said = (text: string) => expect.poll(() => output).toContain(text)
  return { child, ended, said }
}

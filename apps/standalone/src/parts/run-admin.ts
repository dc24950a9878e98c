import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { Fault } from '../fault.ts'

const main = fileURLToPath(import.meta.resolve('@svc/admin/main'))

/** `svc-admin` as a process of its own, to its end. Answers what it printed. */
export async function runAdmin(words: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const child = spawn(process.execPath, [main, ...words], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ending = once(child, 'exit')
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  // what Node says of this event
  const [code] = (await ending) as [number | null]
  if (code !== 0) throw new Fault(`svc-admin ${words[0]} failed: ${stderr.trim()}`)
  return stdout
}

/** `npm run soak <name>`: a long search for what the tests are too short to find. Without a name, all of them. */
import { constants } from 'node:os'
import { HelpWanted, readArguments } from './arguments.ts'
import type { SoakOptions } from './soak.ts'
import { soaks } from './soaks.ts'

const say = (text: string) => void process.stderr.write(`${text}\n`)

/** Ctrl-C comes from the terminal and once more from npm. */
const interrupted = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.on(name, () => {
    if (interrupted.signal.aborted) return
    interrupted.abort(name)
    say(`${name}: stopping; the figures so far follow`)
  })
}

async function run(name: string, options: SoakOptions): Promise<boolean> {
  const { seed, signal } = options
  say(`soak test ${name}, seed ${seed}`)
  const found = await soaks[name]?.run(options)
  if (!found) throw new Error(`there is no soak test ${name}`)
  const { figures, violations } = found
  const until = signal.aborted ? [['interrupted by', String(signal.reason)]] : []
  const lines = [
    ['soak test', name],
    ...figures,
    ['violations', violations],
    ['seed', seed],
    ...until,
  ]
  const printed = lines.map(([label, value]) => `${String(label).padEnd(20)} ${value}`)
  process.stdout.write(`${printed.join('\n')}\n`)
  return violations === 0
}

try {
  const { names, options } = readArguments(process.argv.slice(2), say)
  const { signal } = interrupted
  process.exitCode = 0
  for (const name of names) {
    if (signal.aborted) break
    if (!(await run(name, { ...options, signal }))) process.exitCode = 1
  }
  if (signal.aborted) process.exitCode = 128 + constants.signals[signal.reason as NodeJS.Signals]
} catch (error) {
  if (!(error instanceof HelpWanted)) throw error
  say(error.message)
  process.exitCode = error.exitCode
}

/** `npm run hunt <name>`: a long search for what the tests are too short to find. Without a name, all of them. */
import { HelpWanted, readArguments } from './arguments.ts'
import type { HuntOptions } from './hunt.ts'
import { hunts } from './hunts.ts'

const say = (text: string) => void process.stderr.write(`${text}\n`)

async function run(name: string, options: HuntOptions): Promise<boolean> {
  const { seed } = options
  say(`hunt ${name}, seed ${seed}`)
  const found = await hunts[name]?.hunt(options)
  if (!found) throw new Error(`there is no hunt ${name}`)
  const { figures, violations } = found
  const lines = [['hunt', name], ...figures, ['violations', violations], ['seed', seed]]
  const told = lines.map(([label, value]) => `${String(label).padEnd(20)} ${value}`)
  process.stdout.write(`${told.join('\n')}\n`)
  return violations === 0
}

try {
  const { names, options } = readArguments(process.argv.slice(2), say)
  process.exitCode = 0
  for (const name of names) if (!(await run(name, options))) process.exitCode = 1
} catch (error) {
  if (!(error instanceof HelpWanted)) throw error
  say(error.message)
  process.exitCode = error.exitCode
}

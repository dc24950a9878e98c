/** `npm run hunt <name>`: a long search for what the tests are too short to find. Without a name, all of them. */
import { parseArgs } from 'node:util'
import type { Hunt } from './hunt.ts'
import { hunts } from './hunts.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    replay: { type: 'string' },
    deliveries: { type: 'string', default: '4000' },
    sequences: { type: 'string', default: '2000' },
    steps: { type: 'string', default: '60' },
    rounds: { type: 'string', default: '20' },
    requests: { type: 'string' },
    daemons: { type: 'string', default: '50' },
    only: { type: 'string', default: '' },
  },
})

const say = (text: string) => void process.stderr.write(`${text}\n`)

async function run(name: string, hunt: Hunt): Promise<boolean> {
  const seed = Number(values.replay ?? values.seed ?? Date.now() % 1_000_000)
  say(`hunt ${name}, seed ${seed}`)
  const { figures, violations } = await hunt({
    seed,
    replay: values.replay !== undefined,
    sequences: Number(values.sequences),
    steps: Number(values.steps),
    deliveries: Number(values.deliveries),
    rounds: Number(values.rounds),
    requests: values.requests === undefined ? undefined : Number(values.requests),
    daemons: Number(values.daemons),
    only: values.only,
    say,
  })
  const lines = [['hunt', name], ...figures, ['violations', violations], ['seed', seed]]
  const told = lines.map(([label, value]) => `${String(label).padEnd(20)} ${value}`)
  process.stdout.write(`${told.join('\n')}\n`)
  return violations === 0
}

const names = positionals.length > 0 ? positionals : Object.keys(hunts)
const unknown = names.filter((name) => !Object.hasOwn(hunts, name))
if (unknown.length > 0) {
  say(`Name what to hunt: ${Object.keys(hunts).join(', ')}.`)
  process.exitCode = 64
} else {
  process.exitCode = 0
  for (const name of names) {
    const hunt = hunts[name]
    if (hunt && !(await run(name, hunt))) process.exitCode = 1
  }
}

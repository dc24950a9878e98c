/** `npm run hunt <name>`: a long search for what the tests are too short to find. Without a name, all of them. */
import { parseArgs } from 'node:util'
import { openThrowawayDatabase } from './database.ts'
import { huntDefects } from './defects.ts'
import type { Hunt } from './hunt.ts'
import { huntModel } from './model.ts'
import { huntWebhooks } from './webhooks.ts'

const hunts: Record<string, Hunt> = {
  webhooks: huntDispatchers,
  model: huntModel,
  defects: huntDefects,
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    replay: { type: 'string' },
    deliveries: { type: 'string', default: '4000' },
    sequences: { type: 'string', default: '2000' },
    steps: { type: 'string', default: '60' },
  },
})

const say = (text: string) => void process.stderr.write(`${text}\n`)

async function huntDispatchers({ seed, deliveries }: Parameters<Hunt>[0]): ReturnType<Hunt> {
  await using database = await openThrowawayDatabase()
  const found = await huntWebhooks({
    databaseUrl: database.url,
    deliveries,
    seed,
    calmMs: 250,
    restartDatabase: () => database.killAndRestart(),
    say,
  })
  return {
    figures: [
      ['operations', `${found.deliveries} deliveries, ${found.posts} posts`],
      ['dispatchers killed', String(found.kills)],
      ['dispatchers paused', String(found.pauses)],
      ['database killed', String(found.databaseKills)],
      ['duplicates', `${found.duplicates}, of them with another body: ${found.otherBodies}`],
      ['lost', String(found.lost)],
      ['not delivered', String(found.broken)],
      ['badly signed', String(found.faulty)],
    ],
    violations: found.lost + found.otherBodies + found.broken + found.faulty,
  }
}

async function run(name: string, hunt: Hunt): Promise<boolean> {
  const seed = Number(values.replay ?? values.seed ?? Date.now() % 1_000_000)
  say(`hunt ${name}, seed ${seed}`)
  const { figures, violations } = await hunt({
    seed,
    replay: values.replay !== undefined,
    sequences: Number(values.sequences),
    steps: Number(values.steps),
    deliveries: Number(values.deliveries),
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

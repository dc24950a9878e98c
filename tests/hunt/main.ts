/** `npm run hunt <campaign>`: a long search for what the tests are too short to find. */
import { parseArgs } from 'node:util'
import { openThrowawayDatabase } from './database.ts'
import { fuzz } from '../fuzz/fuzz.ts'
import { huntWebhooks } from './webhooks.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    /** `replay` is another word for it: the same seed makes the same calls. */
    seed: { type: 'string' },
    replay: { type: 'string' },
    deliveries: { type: 'string', default: '4000' },
    requests: { type: 'string', default: '20000' },
  },
})

const say = (text: string) => void process.stderr.write(`${text}\n`)

const seed = Number(values.replay ?? values.seed ?? Date.now() % 1_000_000)

const campaigns: Record<string, () => Promise<boolean>> = {
  async webhooks() {
    say(`hunt webhooks, seed ${seed}`)
    await using database = await openThrowawayDatabase()
    const found = await huntWebhooks({
      databaseUrl: database.url,
      deliveries: Number(values.deliveries),
      seed,
      calmMs: 250,
      restartDatabase: () => database.killAndRestart(),
      say,
    })
    process.stdout.write(
      [
        `operations           ${found.deliveries} deliveries, ${found.posts} posts`,
        `dispatchers killed   ${found.kills}`,
        `dispatchers paused   ${found.pauses}`,
        `database killed      ${found.databaseKills}`,
        `duplicates           ${found.duplicates}, of them with another body: ${found.otherBodies}`,
        `lost                 ${found.lost}`,
        `not delivered        ${found.broken}`,
        `badly signed         ${found.faulty}`,
        `seed                 ${found.seed}`,
        '',
      ].join('\n'),
    )
    return [found.lost, found.otherBodies, found.broken, found.faulty].every((count) => count === 0)
  },
  async fuzz() {
    say(`hunt fuzz, seed ${seed}`)
    await using database = await openThrowawayDatabase()
    const requests = Number(values.requests)
    const found = await fuzz({ databaseUrl: database.url, requests, seed })
    for (const violation of found.violations) say(violation)
    process.stdout.write(
      [
        `operations           ${found.requests} requests`,
        `answered             ${JSON.stringify(found.statuses)}`,
        `violations           ${found.violations.length}`,
        `seed                 ${seed}`,
        '',
      ].join('\n'),
    )
    return found.violations.length === 0
  },
}

const campaign = campaigns[positionals[0] ?? '']
if (campaign === undefined) {
  say(`Name what to hunt: ${Object.keys(campaigns).join(', ')}.`)
  process.exitCode = 64
} else {
  process.exitCode = (await campaign()) ? 0 : 1
}

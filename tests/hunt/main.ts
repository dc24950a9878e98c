/** `npm run hunt <campaign>`: a long search for what the tests are too short to find. */
import { parseArgs } from 'node:util'
import { openThrowawayDatabase } from './database.ts'
import { huntCrash } from './crash.ts'
import { huntRaces } from './races.ts'
import { huntWebhooks } from './webhooks.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    replay: { type: 'string' },
    rounds: { type: 'string', default: '20' },
    deliveries: { type: 'string', default: '4000' },
  },
})

const say = (text: string) => void process.stderr.write(`${text}\n`)

const seedOf = () => Number(values.replay ?? values.seed ?? Date.now() % 1_000_000)

const campaigns: Record<string, () => Promise<boolean>> = {
  async webhooks() {
    const seed = seedOf()
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
  async crash() {
    const seed = seedOf()
    say(`hunt crash, seed ${seed}`)
    await using database = await openThrowawayDatabase()
    const found = await huntCrash({ databaseUrl: database.url, seed, say })
    process.stdout.write(
      [
        `operations           ${found.calls} calls, broken at each point and once more`,
        `undone               ${found.undone}`,
        `done, answer lost    ${found.done}`,
        `not reached          ${found['not reached']}`,
        `violations           ${found.violations}`,
        `seed                 ${seed}`,
        '',
      ].join('\n'),
    )
    return found.violations === 0
  },
  async races() {
    const seed = seedOf()
    say(`hunt races, seed ${seed}`)
    await using database = await openThrowawayDatabase()
    const rounds = Number(values.rounds)
    const found = await huntRaces({ databaseUrl: database.url, rounds, seed, say })
    process.stdout.write(
      [
        `operations           ${found.races} races`,
        `violations           ${found.violations}`,
        `seed                 ${seed}`,
        '',
      ].join('\n'),
    )
    return found.violations === 0
  },
}

const campaign = campaigns[positionals[0] ?? '']
if (campaign === undefined) {
  say(`Name what to hunt: ${Object.keys(campaigns).join(', ')}.`)
  process.exitCode = 64
} else {
  process.exitCode = (await campaign()) ? 0 : 1
}

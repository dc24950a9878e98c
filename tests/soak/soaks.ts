import { fuzz } from '../fuzz/fuzz.ts'
import { soakCrash } from './crash.ts'
import { openThrowawayDatabase } from './database.ts'
import { soakDefects } from './defects.ts'
import type { Soak } from './soak.ts'
import { soakModel } from './model.ts'
import { soakQuoting } from './quoting.ts'
import { soakRaces } from './races.ts'
import { soakRunner } from './runner.ts'
import { soakWebhooks } from './webhooks.ts'

interface Entry {
  /** What it does, for the list of them in the help. */
  description: string
  run: Soak
}

/** The soak tests, by the name that `npm run soak` takes. */
export const soaks: Readonly<Record<string, Entry>> = {
  webhooks: {
    description: 'dispatchers and the database killed and paused while deliveries run',
    async run({ seed, deliveries, signal, say }) {
      await using database = await openThrowawayDatabase()
      const found = await soakWebhooks({
        databaseUrl: database.url,
        deliveries,
        seed,
        calmMs: 250,
        restartDatabase: () => database.killAndRestart(),
        signal,
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
    },
  },

  runner: {
    description:
      'daemons carry out objectives on real checkouts while daemons, supervisors, agents and the API are killed and paused',
    async run({ seed, daemons, requests = 500, signal, say }) {
      await using database = await openThrowawayDatabase()
      const found = await soakRunner({
        databaseUrl: database.url,
        seed,
        daemons,
        requests,
        signal,
        say,
      })
      return {
        figures: [
          [
            'operations',
            `${requests} objectives, ${found.launches} launches, ${found.calls} calls`,
          ],
          ['daemons', String(daemons)],
          ['killed', inWords(found.kills)],
          ['paused', inWords(found.pauses)],
        ],
        violations: found.violations.length,
      }
    },
  },

  model: {
    description: 'sequences of calls against a model of the lifecycle, every invariant after each',
    run: soakModel,
  },

  crash: {
    description: 'the connection to the database broken at every point of every call',
    async run({ seed, signal, say }) {
      await using database = await openThrowawayDatabase()
      const found = await soakCrash({ databaseUrl: database.url, seed, signal, say })
      return {
        figures: [
          ['operations', `${found.calls} calls, broken at each point and once more`],
          ['undone', String(found.undone)],
          ['done, answer lost', String(found.done)],
          ['not reached', String(found['not reached'])],
        ],
        violations: found.violations,
      }
    },
  },

  races: {
    description: 'whatever people, agents and queues can do at once',
    async run({ seed, rounds, signal, say }) {
      await using database = await openThrowawayDatabase()
      const found = await soakRaces({ databaseUrl: database.url, rounds, seed, signal, say })
      return { figures: [['operations', `${found.races} races`]], violations: found.violations }
    },
  },

  fuzz: {
    description:
      'whatever operation or page with whatever input: each is answered, and none by a failure of ours',
    async run({ seed, requests = 20_000, signal, say }) {
      await using database = await openThrowawayDatabase()
      const found = await fuzz({ databaseUrl: database.url, requests, seed, signal })
      found.violations.forEach(say)
      return {
        figures: [
          ['operations', `${found.requests} requests`],
          ['cannot be sent', String(found.skipped)],
          ['answered', JSON.stringify(found.statuses)],
        ],
        violations: found.violations.length,
      }
    },
  },

  quoting: {
    description:
      'hostile values in every position of a launch command, printed byte for byte by each shell',
    async run({ seed, requests = 4_000, signal, say }) {
      const found = await soakQuoting({ values: requests, seed, signal, say })
      return {
        figures: [['operations', `${found.values} values`]],
        violations: found.violations,
      }
    },
  },

  defects: {
    description: 'mistakes planted in service and runner, each to be noticed',
    run: soakDefects,
  },
}

function inWords(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts).map(([name, count]) => `${name} ${count}`)
  return parts.join(', ')
}

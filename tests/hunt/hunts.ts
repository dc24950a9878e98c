import { fuzz } from '../fuzz/fuzz.ts'
import { huntCrash } from './crash.ts'
import { openThrowawayDatabase } from './database.ts'
import { huntDefects } from './defects.ts'
import type { Hunt } from './hunt.ts'
import { huntModel } from './model.ts'
import { huntQuoting } from './quoting.ts'
import { huntRaces } from './races.ts'
import { huntRunner } from './runner.ts'
import { huntWebhooks } from './webhooks.ts'

interface Entry {
  /** What is done, for whoever asks what there is. */
  tells: string
  hunt: Hunt
}

/** By the name that `npm run hunt` takes. */
export const hunts: Readonly<Record<string, Entry>> = {
  webhooks: {
    tells: 'dispatchers and the database killed and paused while deliveries run',
    async hunt({ seed, deliveries, signal, say }) {
      await using database = await openThrowawayDatabase()
      const found = await huntWebhooks({
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
    tells:
      'daemons carry out objectives on real checkouts while daemons, supervisors, agents and the API are killed and paused',
    async hunt({ seed, daemons, requests = 500, signal, say }) {
      await using database = await openThrowawayDatabase()
      const found = await huntRunner({
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
          ['killed', told(found.kills)],
          ['paused', told(found.pauses)],
        ],
        violations: found.violations.length,
      }
    },
  },

  model: {
    tells: 'sequences of calls against a model of the lifecycle, every invariant after each',
    hunt: huntModel,
  },

  crash: {
    tells: 'the connection to the database broken at every point of every call',
    async hunt({ seed, signal, say }) {
      await using database = await openThrowawayDatabase()
      const found = await huntCrash({ databaseUrl: database.url, seed, signal, say })
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
    tells: 'whatever people, agents and queues can do at once',
    async hunt({ seed, rounds, signal, say }) {
      await using database = await openThrowawayDatabase()
      const found = await huntRaces({ databaseUrl: database.url, rounds, seed, signal, say })
      return { figures: [['operations', `${found.races} races`]], violations: found.violations }
    },
  },

  fuzz: {
    tells:
      'whatever operation or page with whatever input: each is answered, and none by a failure of ours',
    async hunt({ seed, requests = 20_000, signal, say }) {
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
    tells: 'hostile values in every place of a launch command, printed byte for byte by each shell',
    async hunt({ seed, requests = 4_000, signal, say }) {
      const found = await huntQuoting({ values: requests, seed, signal, say })
      return {
        figures: [['operations', `${found.values} values`]],
        violations: found.violations,
      }
    },
  },

  defects: {
    tells: 'mistakes planted in service and runner, each to be noticed',
    hunt: huntDefects,
  },
}

function told(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts).map(([name, count]) => `${name} ${count}`)
  return parts.join(', ')
}

import { fuzz } from '../fuzz/fuzz.ts'
import { soakCrash } from './crash.ts'
import { openThrowawayDatabase } from './database.ts'
import { soakDefects } from './defects.ts'
import type { Soak } from './soak.ts'
import { soakModel } from './model.ts'
import { soakNeeds } from './needs.ts'
import { soakParts } from './parts.ts'
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
    async run(options) {
      await using database = await openThrowawayDatabase()
      const restartDatabase = () => database.killAndRestart()
      const own = { databaseUrl: database.url, calmMs: 250, restartDatabase }
      const found = await soakWebhooks({ ...options, ...own })
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
    async run({ requests = 500, ...options }) {
      await using database = await openThrowawayDatabase()
      const found = await soakRunner({ ...options, databaseUrl: database.url, requests })
      return {
        figures: [
          [
            'operations',
            `${requests} objectives, ${found.launches} launches, ${found.calls} calls`,
          ],
          ['daemons', String(options.daemons)],
          ['killed', inWords(found.kills)],
          ['paused', inWords(found.pauses)],
        ],
        violations: found.violations.length,
      }
    },
  },

  parts: {
    description:
      'every part at two thirds of its load while replicas are killed, drained and added, and the database restarted and failed over',
    run: soakParts,
  },

  model: {
    description: 'sequences of calls against a model of the lifecycle, every invariant after each',
    run: soakModel,
  },

  needs: {
    description: 'the same beside a browser: what needs somebody is shown as it comes and goes',
    run: soakNeeds,
  },

  crash: {
    description: 'the connection to the database broken at every point of every call',
    run: soakCrash,
  },

  races: {
    description: 'whatever people, agents and queues can do at once',
    run: soakRaces,
  },

  fuzz: {
    description:
      'whatever operation or page with whatever input: each is answered, and none by a failure of ours',
    async run({ requests = 20_000, ...options }) {
      await using database = await openThrowawayDatabase()
      const found = await fuzz({ ...options, databaseUrl: database.url, requests })
      found.violations.forEach(options.say)
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
    run: soakQuoting,
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

import { fuzz } from '../fuzz/fuzz.ts'
import { huntCrash } from './crash.ts'
import { openThrowawayDatabase } from './database.ts'
import { huntDefects } from './defects.ts'
import type { Hunt } from './hunt.ts'
import { huntModel } from './model.ts'
import { huntRaces } from './races.ts'
import { huntRunner } from './runner.ts'
import { huntWebhooks } from './webhooks.ts'

/** By the name that `npm run hunt` takes. */
export const hunts: Readonly<Record<string, Hunt>> = {
  async webhooks({ seed, deliveries, say }) {
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
  },

  async runner({ seed, daemons, requests = 500, say }) {
    await using database = await openThrowawayDatabase()
    const found = await huntRunner({ databaseUrl: database.url, seed, daemons, requests, say })
    return {
      figures: [
        ['operations', `${requests} objectives, ${found.launches} launches, ${found.calls} calls`],
        ['daemons', String(daemons)],
        ['killed', told(found.kills)],
        ['paused', told(found.pauses)],
      ],
      violations: found.violations.length,
    }
  },

  model: huntModel,

  async crash({ seed, say }) {
    await using database = await openThrowawayDatabase()
    const found = await huntCrash({ databaseUrl: database.url, seed, say })
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

  async races({ seed, rounds, say }) {
    await using database = await openThrowawayDatabase()
    const found = await huntRaces({ databaseUrl: database.url, rounds, seed, say })
    return { figures: [['operations', `${found.races} races`]], violations: found.violations }
  },

  async fuzz({ seed, requests = 20_000, say }) {
    await using database = await openThrowawayDatabase()
    const found = await fuzz({ databaseUrl: database.url, requests, seed })
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

  defects: huntDefects,
}

function told(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts).map(([name, count]) => `${name} ${count}`)
  return parts.join(', ')
}

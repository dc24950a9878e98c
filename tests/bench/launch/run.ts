import { parseArgs } from 'node:util'
import { chooseParts } from '../choose-parts.ts'
import { say } from '../figures.ts'
import { measureClaims } from './claims.ts'
import { measureCosts } from './costs.ts'
import { measureCycles } from './cycles.ts'
import { measureFeeds } from './feeds.ts'
import { measureGrowth } from './growth.ts'
import { measureReads } from './reads.ts'
import { measureWakes } from './wakes.ts'

interface Part {
  tells: string
  measure: (isFull: boolean) => Promise<void>
}

const parts: Readonly<Record<string, Part>> = {
  cycles: {
    tells: 'cycles/s with 1, 8 and 32 clients, next to a bare server and bare inserts',
    measure: measureCycles,
  },
  costs: {
    tells: 'statements and CPU ms by call, and of a cycle with its fan-out',
    measure: measureCosts,
  },
  wakes: {
    tells: 'launch to claim with 1, 50 and 200 idle runners, alike and mixed',
    measure: measureWakes,
  },
  claims: {
    tells: 'claims by 64 claimers over 20,000 queued requests; --full: 1,000,000',
    measure: (isFull) => measureClaims({ queued: isFull ? 1_000_000 : 20_000 }),
  },
  reads: {
    tells: 'authentication and a read, next to bare hono',
    measure: measureReads,
  },
  feeds: {
    tells: 'what 1,000 open feeds cost while nothing happens, and for each change',
    measure: measureFeeds,
  },
  growth: {
    tells: 'cycles/s with 1,000 and with 20,000 finished missions; --full: 1,000,000',
    measure: (isFull) => measureGrowth({ finished: isFull ? 1_000_000 : 20_000 }),
  },
}

const help = `npm run bench launch -- [--full] [--only ${Object.keys(parts).join(',')}]

How fast the launch path is: a cycle is launch, claim, launching, launched, attach
and deliver, sent to a real API process over connections that stay open, with the
keys that real clients send. PostgreSQL is the embedded one and waits for its disk;
every pool is as large as it is shipped. The bare server makes the same writes with
named and pipelined statements: it is the limit. Figures are printed and never
judged; take them on a machine that does nothing else. About ten minutes.

${Object.entries(parts)
  .map(([name, { tells }]) => `  ${name.padEnd(9)}${tells}`)
  .join('\n')}

  --only   these parts, with commas
  --full   the large fillings: a quarter of an hour more, and 10 GB of disk`

export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      full: { type: 'boolean', default: false },
      only: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return say(help)
  const chosen = chooseParts(parts, values.only)
  if (chosen === undefined) return
  for (const { measure } of chosen) {
    await measure(values.full)
    say('')
  }
}

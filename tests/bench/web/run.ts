import { parseArgs } from 'node:util'
import { chooseParts } from '../choose-parts.ts'
import { say } from '../figures.ts'
import { measureDiff } from './diff.ts'
import { measureFiles } from './files.ts'
import { measureKeys } from './keys.ts'
import { measureLoads } from './loads.ts'
import { measureLog } from './log.ts'
import { measureMemory } from './memory.ts'
import { measureSeen } from './seen.ts'
import { measureStart } from './start.ts'

interface Amount {
  rounds: number
  samples: number
  changes: number
}

const parts: Readonly<Record<string, (amount: Amount) => Promise<void>>> = {
  loads: measureLoads,
  files: measureFiles,
  keys: measureKeys,
  seen: measureSeen,
  diff: measureDiff,
  log: measureLog,
  memory: measureMemory,
  start: measureStart,
}

const help = `npm run bench web -- [--rounds 3] [--samples 30] [--changes 36000] [--only ${Object.keys(parts).join(',')}]

What the web app costs and how fast it is, as it is built, in a real Chromium against a
real service with a PostgreSQL that waits for its disk. Each page that has its row in
apps/web/src/shell/routes.ts is measured. Figures are printed next to their aims and never
judged; take them on a machine that does nothing else. An hour, nearly all of it for memory:
--changes 600 takes a minute.

  loads    KiB and requests of each page, as the first one and as a further one
  files    bytes of pages with much to show, by file and answer
  keys     a key to the frame after it on each page, with a processor a quarter as fast
  seen     a change in one browser until it is seen in another
  diff     a review of 5,000 files: opened, walked and scrolled through
  log      a log of 100 MB: opened, gone through and looked through
  memory   what pages hold after so many changes, ten times as many as in a busy hour
  start    npm start in a fresh clone, and once more, until the app's first page is there`

export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: 'string', default: '3' },
      samples: { type: 'string', default: '30' },
      changes: { type: 'string', default: '36000' },
      only: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return say(help)
  const chosen = chooseParts(parts, values.only)
  if (chosen === undefined) return
  const amount = {
    rounds: Number(values.rounds),
    samples: Number(values.samples),
    changes: Number(values.changes),
  }
  for (const measure of chosen) {
    await measure(amount)
    say('')
  }
}

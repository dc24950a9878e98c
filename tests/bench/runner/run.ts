import { parseArgs } from 'node:util'
import { chooseParts } from '../choose-parts.ts'
import { say } from '../figures.ts'
import { measureDeaths } from './deaths.ts'
import { type Amount, measureIdle, measureLaunches, measureRuns } from './parts.ts'

const parts: Readonly<Record<string, (amount: Amount) => Promise<void>>> = {
  launches: measureLaunches,
  runs: measureRuns,
  deaths: measureDeaths,
  idle: measureIdle,
}

const help = `npm run bench runner -- [--samples 40] [--idle 1,50,200] [--runs 8] [--deaths 3] [--seconds 20] [--only ${Object.keys(parts).join(',')}]

How fast a runner is, and what it takes: a real one with a linked checkout, whose agent
is a shell script, against a real API process and a PostgreSQL that waits for its disk,
both with the intervals that they are shipped with. Every other runner is a bare claimer.
Figures are printed next to their aims and never judged; take them on a machine that does
nothing else.

  launches   launch to claim and to the agent's process started, cancel to its process
             tree gone, with so many idle runners
  runs       memory of a supervisor next to a bare Node; daemon and supervisors killed:
             how soon the next daemon has accounted for every run
  deaths     all of a runner killed: how soon the service tells that it is gone, and offers
             what it had begun and nobody attached to again
  idle       queries and processor time of runners that wait`

export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      samples: { type: 'string', default: '40' },
      idle: { type: 'string', default: '1,50,200' },
      runs: { type: 'string', default: '8' },
      deaths: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '20' },
      only: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return say(help)
  const chosen = chooseParts(parts, values.only)
  if (chosen === undefined) return
  const amount = {
    samples: Number(values.samples),
    idle: values.idle.split(',').map(Number),
    runs: Number(values.runs),
    deaths: Number(values.deaths),
    idleSeconds: Number(values.seconds),
  }
  for (const measure of chosen) {
    await measure(amount)
    say('')
  }
}

import { parseArgs } from 'node:util'
import { percentile, say, table } from './figures.ts'

/** Milliseconds of processor, as `npm run bench launch -- --only costs` printed them in a slow hour: in the apps, and in PostgreSQL. */
const costs = {
  cycle: { apps: 24.6, database: 22.9 },
  renewal: { apps: 2.3, database: 1.5 },
  // that waits in vain: it looks at first and in the end
  claim: { apps: 4.6, database: 3 },
} as const
type Kind = keyof typeof costs

/** Of a runner: a claim waits for so long, and a run renews its lease as often. */
const claimSeconds = 20
const renewalSeconds = 15

const help = `npm run bench scale -- [--runners N] [--missions N] [--objectives N] [--minutes N] [--peak N]

What one PostgreSQL is asked by so many runners and missions a day, from the costs of
calls that bench launch has measured: calls arrive at random, each takes as long as it
costs, on so many cores, and what comes while all are busy waits. It simulates the
busiest minute, in which launches come at a multiple of the mean of the day.

  --runners     machines that run agents (10,000)
  --missions    a day (1,000,000)
  --objectives  of each mission, one run each (2)
  --minutes     that a run lasts (10)
  --peak        the busiest minute over the mean of the day (3)`

export function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      runners: { type: 'string', default: '10000' },
      missions: { type: 'string', default: '1000000' },
      objectives: { type: 'string', default: '2' },
      minutes: { type: 'string', default: '10' },
      peak: { type: 'string', default: '3' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) say(help)
  else print(ratesOf(values))
  return Promise.resolve()
}

type Load = Readonly<Record<'runners' | 'missions' | 'objectives' | 'minutes' | 'peak', string>>
type Rates = Readonly<Record<Kind, number>>

/** Calls a second, at the busiest minute. */
function ratesOf({ runners, missions, objectives, minutes, peak }: Load): Rates {
  const cycle = ((Number(missions) * Number(objectives)) / 86_400) * Number(peak)
  const underWay = cycle * Number(minutes) * 60
  return { cycle, renewal: underWay / renewalSeconds, claim: Number(runners) / claimSeconds }
}

function print(rates: Rates): void {
  const kinds = Object.keys(costs) as Kind[]
  const coresOf = (where: 'apps' | 'database') =>
    kinds.map((kind) => (rates[kind] * costs[kind][where]) / 1_000)
  table([
    ['', 'a second', 'cores of the apps', 'cores of PostgreSQL'],
    ...kinds.map((kind, index) => [
      kind,
      rates[kind].toFixed(0),
      coresOf('apps')[index]?.toFixed(1) ?? '',
      coresOf('database')[index]?.toFixed(1) ?? '',
    ]),
  ])
  const asked = coresOf('database').reduce((sum, one) => sum + one)
  say('')
  const most = Math.ceil(asked)
  const rows = [most, most + 1, most + 2, most * 2].map((cores) => {
    const waits = simulate(rates, cores)
    const at = (share: number) => `${percentile(waits, share).toFixed(1)} ms`
    return [String(cores), `${((asked / cores) * 100).toFixed(0)} %`, at(0.5), at(0.99)]
  })
  table([['cores of PostgreSQL', 'busy', 'a call waits: median', 'p99'], ...rows])
}

/** Milliseconds that each call of a minute waits for a core; the first comes to an idle server. */
function simulate(rates: Rates, cores: number): number[] {
  const kinds = Object.keys(costs) as Kind[]
  const all = kinds.reduce((sum, kind) => sum + rates[kind], 0)
  const free = Array.from({ length: cores }, () => 0)
  const waits: number[] = []
  for (let now = 0; now < 60_000; now += exponential(1_000 / all)) {
    const first = free.indexOf(Math.min(...free))
    const begins = Math.max(now, free[first] ?? 0)
    waits.push(begins - now)
    free[first] = begins + exponential(costs[pick(kinds, rates, all)].database)
  }
  return waits
}

const exponential = (mean: number) => -Math.log(1 - Math.random()) * mean

function pick(kinds: readonly Kind[], rates: Rates, all: number): Kind {
  let left = Math.random() * all
  return kinds.find((kind) => (left -= rates[kind]) < 0) ?? 'claim'
}

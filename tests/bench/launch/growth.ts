import { say, spread, table } from '../figures.ts'
import { analyse } from './fill.ts'
import { fillFinished } from './fill-finished.ts'
import { type Leg, openFleet } from './fleet.ts'
import { openStage } from './stage.ts'

const few = 1_000
const clientCounts = [1, 8] as const
const rounds = 3
const legMs = 1_500

/** Two services alike, but for the missions that are finished in the workspace. */
export async function measureGrowth({ finished }: { finished: number }): Promise<void> {
  await using small = await filled(few)
  await using large = await filled(finished)
  const measured = new Map<number, { small: Leg; large: Leg }[]>(
    clientCounts.map((clients) => [clients, []]),
  )
  const legs = { small: openFleet(small), large: openFleet(large) }
  for (const leg of Object.values(legs)) await leg(Math.max(...clientCounts), legMs)
  for (let round = 0; round < rounds; round += 1) {
    for (const [clients, pairs] of measured) {
      const isFirst = round % 2 === 0
      const early = isFirst ? undefined : await legs.large(clients, legMs)
      const one = await legs.small(clients, legMs)
      pairs.push({ small: one, large: early ?? (await legs.large(clients, legMs)) })
    }
  }
  say(
    `growth, no dispatcher, ${rounds} rounds of ${legMs / 1000} s in turn: median (least to most)`,
  )
  table([
    [
      '',
      `cycles/s with ${few}`,
      `with ${finished} missions`,
      'slower by',
      'PostgreSQL, CPU ms',
      'with all',
    ],
    ...[...measured].map(([clients, pairs]) => [
      `${clients} client${clients === 1 ? '' : 's'}`,
      spread(pairs.map((pair) => pair.small.cyclesPerSecond)),
      spread(pairs.map((pair) => pair.large.cyclesPerSecond)),
      spread(
        pairs.map((pair) => pair.small.cyclesPerSecond / pair.large.cyclesPerSecond),
        2,
      ),
      spread(pairs.map((pair) => pair.small.postgresMs)),
      spread(pairs.map((pair) => pair.large.postgresMs)),
    ]),
  ])
}

async function filled(count: number) {
  const stage = await openStage({ projects: Math.max(...clientCounts) })
  await fillFinished(stage.db, stage.places, count)
  await analyse(stage.db)
  return stage
}

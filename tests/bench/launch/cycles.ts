import { median, say, spread, table } from '../figures.ts'
import { openBarePeer } from './bare-peer.ts'
import { type Leg, openFleet } from './fleet.ts'
import { openStage, untilHandedOn, waitingEvents } from './stage.ts'

const clientCounts = [1, 8, 32] as const
const rounds = 3
const legMs = 2_000
/** A service runs for days: until its code is compiled, and every connection has made its plans. */
const warmUps = 6
const insertMs = 1_000

interface Pair {
  own: Leg
  bare: number
  /** Events that the dispatcher had not handed on when the leg ended. */
  waiting: number
}

/** Cycles a second with 1, 8 and 32 clients, next to a bare server that makes the same writes. */
export async function measureCycles(): Promise<void> {
  await using stage = await openStage({ projects: Math.max(...clientCounts) })
  await using bare = await openBarePeer(stage)
  const ownLeg = openFleet(stage)
  const pairs = new Map<number, Pair[]>(clientCounts.map((clients) => [clients, []]))
  const inserts = new Map<number, number[]>([1, 8].map((connections) => [connections, []]))
  const alone: Leg[] = []
  for (let leg = 0; leg < warmUps; leg += 1) await ownLeg(8, legMs)
  await bare.cycles(8, legMs)

  for (let round = 0; round < rounds; round += 1) {
    alone.push(await ownLeg(8, legMs))
    {
      await using _ = await stage.startDispatcher()
      await untilHandedOn(stage)
      for (const [clients, measured] of pairs) {
        const isFirst = round % 2 === 0
        const early = isFirst ? undefined : await bare.cycles(clients, legMs)
        const own = await ownLeg(clients, legMs)
        const waiting = await waitingEvents(stage.db)
        await untilHandedOn(stage)
        measured.push({ own, waiting, bare: early ?? (await bare.cycles(clients, legMs)) })
      }
    }
    for (const [connections, measured] of inserts) {
      measured.push(await bare.inserts(connections, insertMs))
    }
  }
  print(pairs, inserts, alone)
}

function print(
  pairs: ReadonlyMap<number, Pair[]>,
  inserts: ReadonlyMap<number, number[]>,
  alone: readonly Leg[],
): void {
  say(`cycles, ${rounds} rounds of ${legMs / 1000} s in turn: median (least to most)`)
  const rowOf = ([clients, measured]: [number, Pair[]]) => [
    `${clients} client${clients === 1 ? '' : 's'}`,
    spread(measured.map(({ own }) => own.cyclesPerSecond)),
    spread(measured.map(({ bare }) => bare)),
    spread(
      measured.map(({ own, bare }) => own.cyclesPerSecond / bare),
      2,
    ),
    spread(measured.map(({ own }) => own.applicationMs)),
    spread(measured.map(({ own }) => own.postgresMs)),
    String(Math.max(...measured.map(({ waiting }) => waiting))),
  ]
  const cpu = ['application, CPU ms a cycle', 'PostgreSQL, CPU ms a cycle']
  table([
    ['', 'cycles/s', 'bare server, cycles/s', 'ratio', ...cpu, 'events left'],
    ...[...pairs].map(rowOf),
    [
      '8, no dispatcher',
      spread(alone.map((leg) => leg.cyclesPerSecond)),
      '',
      '',
      spread(alone.map((leg) => leg.applicationMs)),
      spread(alone.map((leg) => leg.postgresMs)),
    ],
  ])
  for (const [connections, measured] of inserts) {
    const cycles = median((pairs.get(connections) ?? []).map(({ own }) => own.cyclesPerSecond))
    const ratio = (median(measured) / cycles).toFixed(0)
    say(
      `bare inserts, ${connections} connection(s): ${spread(measured, 0)}/s, ${ratio} for a cycle`,
    )
  }
}

import { setTimeout as delay } from 'node:timers/promises'
import type { Parts, RunningPart } from '@svc/standalone/parts/open-parts'
import { openApp } from '../e2e/support/app-process.ts'
import { until } from '../e2e/support/until.ts'
import type { PartsDatabase } from './parts-database.ts'

/** What is done to the parts, each as often as any other. */
const deeds = [
  'api killed',
  'mcp-gateway killed',
  'dispatcher killed',
  'api drained',
  'mcp-gateway drained',
  'dispatcher drained',
  'dispatcher added',
  'database restarted',
  'database failed over',
] as const
type Deed = (typeof deeds)[number]

interface Ground {
  parts: Parts
  database: PartsDatabase
  /** The environment of a dispatcher that is added. */
  environment: NodeJS.ProcessEnv
  random: () => number
  say: (text: string) => void
}

/** Longer than it takes to look at what came of the one before. */
const calmMs = 5_000
const addedMs = 10_000
const patience = { seconds: 120 }

/** One deed after the other until the signal, each once in any order before one comes again. */
export async function troubleParts(
  ground: Ground,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const done = new Map<Deed, number>()
  while (!signal.aborted) {
    for (const deed of shuffled(deeds, ground.random)) {
      await delay(calmMs * (1 + ground.random()), undefined, { signal }).catch(() => undefined)
      if (signal.aborted) break
      ground.say(`  ${deed}`)
      await carryOut(ground, deed)
      done.set(deed, (done.get(deed) ?? 0) + 1)
      await until('every part is ready', () => areReady(ground.parts), patience)
    }
  }
  return done
}

async function carryOut(ground: Ground, deed: Deed): Promise<void> {
  if (deed === 'database restarted') return ground.database.restart()
  if (deed === 'database failed over') return ground.database.failOver()
  if (deed === 'dispatcher added') return addForAWhile(ground)
  const [kind, how] = deed.split(' ')
  const replicas = ground.parts.all.filter((one) => one.kind === kind)
  const victim = replicas[Math.floor(ground.random() * replicas.length)]
  if (victim === undefined) throw new Error(`there is no ${kind}`)
  await end(victim, how === 'killed' ? 'SIGKILL' : 'SIGTERM')
}

/** Whoever keeps it starts another one in its place. */
async function end(part: RunningPart, signal: NodeJS.Signals): Promise<void> {
  const { pid = 0 } = part
  process.kill(pid, signal)
  await until(`${part.name} is another process`, () => part.pid !== pid, patience)
}

async function addForAWhile({ environment }: Ground): Promise<void> {
  await using added = await openApp('dispatcher', () => environment)
  await added.start()
  await delay(addedMs)
}

async function areReady({ all }: Parts): Promise<boolean> {
  const asked = all.map(({ port }) =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ),
  )
  return (await Promise.all(asked)).every((ok) => ok)
}

function shuffled<T>(all: readonly T[], random: () => number): T[] {
  return all
    .map((one) => ({ one, at: random() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ one }) => one)
}

import { setTimeout as delay } from 'node:timers/promises'
import { until } from '../e2e/support/until.ts'
import { judge } from './runner-judge.ts'
import { type Ground, openGround } from './runner-ground.ts'
import { createPerson } from './runner-person.ts'
import { type Trouble, makeTrouble } from './runner-trouble.ts'
import { randomFrom } from './webhooks.ts'

export interface RunnerSoakOptions {
  databaseUrl: string
  seed: number
  daemons: number
  requests: number
  /** From then on nothing is launched or killed, and nothing judged. */
  signal?: AbortSignal
  say: (text: string) => void
}

export interface RunnerFindings {
  launches: number
  /** Those that took a run a step further. */
  calls: number
  kills: Trouble['kills']
  pauses: Trouble['pauses']
  /** Each a sentence. */
  violations: string[]
}

const lookMs = 50
const everySecond = 1_000
/** Nothing has moved for so long: it never will. */
const stuckMs = 120_000

/** Daemons carry out missions while they, their runs and the service are killed and paused; all must be delivered, once. */
export async function soakRunner(options: RunnerSoakOptions): Promise<RunnerFindings> {
  const random = randomFrom(options.seed)
  await using ground = await openGround({ ...options, random })
  const person = createPerson(ground)
  const trouble = makeTrouble(ground, random)
  const say = () => {
    const { length } = ground.tasks
    options.say(`  ${person.delivered()} of ${length} delivered, ${trouble.progress()} calls`)
  }
  const { signal } = options
  const isDelivered = await untilDelivered(person.look, trouble, { say, signal })
  const { kills, pauses } = trouble
  const figures = () => ({ launches: person.launches(), calls: trouble.progress(), kills, pauses })
  if (signal?.aborted) return { ...figures(), violations: [] }
  await trouble.recoverAll()
  const stopped = await stopAll(ground).catch((error: unknown) => [String(error)])
  const stuck = isDelivered ? [] : ['nothing goes on any more']
  const violations = [...stuck, ...stopped, ...(await judge(ground))]
  violations.forEach(options.say)
  options.say(`  launches refused: ${JSON.stringify(Object.fromEntries(person.refusals))}`)
  return { ...figures(), violations }
}

/** False when nothing goes on any more. */
async function untilDelivered(
  look: () => Promise<boolean>,
  trouble: Trouble,
  { say, signal }: { say: () => void; signal: AbortSignal | undefined },
): Promise<boolean> {
  let moved = { progress: -1, atMs: performance.now() }
  let looked = 0
  for (let round = 0; ; round += 1) {
    await delay(lookMs)
    if (signal?.aborted) return false
    const lookedAt = performance.now()
    await trouble.look()
    // while the service is started again nothing can move
    moved.atMs += performance.now() - lookedAt
    if (trouble.progress() > moved.progress) {
      moved = { progress: trouble.progress(), atMs: performance.now() }
    }
    const now = performance.now()
    if (now - moved.atMs > stuckMs) return false
    if (now - looked < everySecond / 4) continue
    looked = now
    if (await look()) return true
    if (round % 200 === 199) say()
  }
}

/** Every run comes to its end; then the daemons are drained. */
async function stopAll({ sites }: Ground): Promise<string[]> {
  for (const { machine } of sites) {
    // one that was only just started does not hear yet that it is to stop
    const isThere = () => machine.daemon().output().includes('The runner works for')
    await until('the daemon is there', isThere, { details: machine.daemon().output })
    await machine.settled()
  }
  const ends = sites.map(async ({ machine }) => {
    machine.daemon().kill('SIGTERM')
    return { end: await machine.daemon().ended, said: machine.daemon().output() }
  })
  const all = await Promise.all(ends)
  return all.flatMap(({ end, said }) => (end.code === 0 ? [] : [`a daemon ended badly: ${said}`]))
}

import { isServiceError } from '@svc/contracts/errors'
import type { Domain } from '@svc/domain/domain'
import type { World } from '@svc/domain/testing/open-world'
import { sql } from 'kysely'
import { expectInvariants } from '../invariants.ts'
import { alike, effectsIn } from './effects.ts'
import { type OperationName, operations } from './operations.ts'
import type { Prepared } from './scene.ts'
import { type CrashPoint, type Wire, openWire } from './wire.ts'

/** A world whose calls are safe, and a second process whose connection can be made to break. */
export interface Crashing extends AsyncDisposable {
  world: World
  wire: Wire
  faulty: Domain
}

export async function openCrashing(world: World, databaseUrl: string): Promise<Crashing> {
  await using opened = new AsyncDisposableStack()
  const wire = opened.use(openWire(databaseUrl, `crashing-${process.pid}`))
  const quiet = { warn: () => undefined, error: () => undefined }
  const config = { databaseUrl: wire.url, poolSize: 1, notify: false, log: quiet }
  const faulty = opened.use(await world.openProcess(config))
  const kept = opened.move()
  return { world, wire, faulty, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

/** A call that nothing disturbs: what there is before and after it, what it comes to, and where it can be broken. */
export interface Whole {
  name: OperationName
  before: string[]
  after: string[]
  answer: string
  /** To the call sent again once it is done. */
  answerAgain: string
  points: CrashPoint[]
}

export async function callWhole(at: Crashing, name: OperationName): Promise<Whole> {
  const { world, wire, faulty } = at
  const { db } = world.domain
  // the server has no statistics of rows that came since the last call: checking what must hold would be far too slow
  await sql`analyze`.execute(db)
  const prepared = await prepare(at, name)
  const before = await effectsIn(db, prepared.projectId)
  await connect(faulty)
  const counting = wire.count()
  const answer = alike(await prepared.call(faulty))
  const writes = counting.stop()
  const after = await effectsIn(db, prepared.projectId)
  await expectInvariants(db)
  const answerAgain = await answerTo(prepared.call(world.domain))
  requireSame('what a repeat leads to', await effectsIn(db, prepared.projectId), after)
  if (!prepared.repeatDiffers) requireSame('the answer to a repeat', [answerAgain], [answer])
  const points = writes.flatMap((cuts, index) =>
    Array.from({ length: cuts }, (_, cut) => ({ write: index + 1, cut })),
  )
  return { name, before, after, answer, answerAgain, points }
}

export type Became = 'not reached' | 'undone' | 'done'

/**
 * The connection breaks at these points, one a try; then whoever called sends it again by another process. Throws what
 * is not as if there had been one call. Answers what had become of it before that.
 */
export async function crashAt(
  at: Crashing,
  whole: Whole,
  points: readonly CrashPoint[],
): Promise<Became> {
  return crash(at, whole, points).catch((error: unknown) => {
    const where = points.map(({ write, cut }) => `cut ${cut} of write ${write}`).join(', then ')
    throw new Error(`${whole.name}, ${where}`, { cause: error })
  })
}

async function crash(at: Crashing, whole: Whole, points: readonly CrashPoint[]): Promise<Became> {
  const { world, wire, faulty } = at
  const { db } = world.domain
  const prepared = await prepare(at, whole.name)
  let became: Became = 'not reached'
  for (const point of points) {
    await connect(faulty)
    const cutting = wire.cutAt(point)
    const received = await answerTo(prepared.call(faulty))
    requireOneOf(received, [unavailable, became === 'done' ? whole.answerAgain : whole.answer])
    const isCut = cutting.stop()
    const left = await effectsIn(db, prepared.projectId)
    const isDone = sameAs(left, whole.after)
    if (!isDone || became === 'done') {
      requireSame('what is left of the call', left, became === 'done' ? whole.after : whole.before)
    }
    if (isCut) became = isDone ? 'done' : 'undone'
  }
  const again = await answerTo(prepared.call(world.domain))
  const wanted = became === 'done' ? whole.answerAgain : whole.answer
  requireSame('the answer to the call sent again', [again], [wanted])
  const after = await effectsIn(db, prepared.projectId)
  requireSame('what the call sent again leads to', after, whole.after)
  await expectInvariants(db)
  return became
}

/** That a token was used is noted outside of the calls, once a minute: known already, so that each call writes the same. */
async function prepare({ world }: Crashing, name: OperationName): Promise<Prepared> {
  const prepared = await operations[name](world)
  await sql`update user_tokens set last_used_at = app.now() + interval '1 day'`.execute(
    world.domain.db,
  )
  return prepared
}

/** So that the first write is the first one of the call. */
async function connect({ db }: Domain): Promise<void> {
  await sql`select`.execute(db)
}

const unavailable = 'unavailable'

/** What was answered, or the code of the refusal. */
async function answerTo(call: Promise<unknown>): Promise<string> {
  return call.then(alike, (error: unknown) => {
    if (isServiceError(error)) return error.code
    throw error
  })
}

function requireOneOf(received: string, possible: readonly string[]): void {
  if (!possible.includes(received)) throw new Error(`The caller got another answer: ${received}`)
}

function sameAs(one: readonly string[], other: readonly string[]): boolean {
  return one.join('\n') === other.join('\n')
}

function requireSame(what: string, found: readonly string[], wanted: readonly string[]): void {
  if (sameAs(found, wanted)) return
  const lacking = without(wanted, found).map((row) => `- ${row}`)
  const beyond = without(found, wanted).map((row) => `+ ${row}`)
  throw new Error(`Of ${what}:\n${[...lacking, ...beyond].join('\n')}`)
}

/** Rows that are twice in the one and once in the other count. */
function without(rows: readonly string[], others: readonly string[]): string[] {
  const left = [...others]
  return rows.filter((row) => {
    const index = left.indexOf(row)
    if (index >= 0) left.splice(index, 1)
    return index < 0
  })
}

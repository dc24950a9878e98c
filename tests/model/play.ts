import { isDeepStrictEqual } from 'node:util'
import { isServiceError } from '@svc/contracts/errors'
import type { Database } from '@svc/db/database'
import { sql } from 'kysely'
import { checkingCommands } from './checking.ts'
import { attachingCommands } from './attaching.ts'
import { type Foreseen, type Plan, type Step, Violation, hold } from './command.ts'
import { checkAnswered } from './answered.ts'
import { checkInvariants } from './invariants.ts'
import { budgetCommands } from './budgets.ts'
import { endingCommands } from './ending.ts'
import { checkNeeds } from './needs.ts'
import { planningCommands } from './planning.ts'
import { workingCommands } from './working.ts'
import { queueCommands } from './queues.ts'
import { recordingCommands } from './recording.ts'
import { resumingCommands } from './resuming.ts'
import { runnerCommands } from './runners.ts'
import { serviceCommands } from './service.ts'
import type { Stage, Theatre } from './stage.ts'
import { readState } from './read-state.ts'
import type { State } from './state.ts'
import { listTables } from './tables.ts'
import { checkTransitions } from './transitions.ts'

export const commands = {
  ...planningCommands,
  ...endingCommands,
  ...budgetCommands,
  ...queueCommands,
  ...runnerCommands,
  ...attachingCommands,
  ...workingCommands,
  ...checkingCommands,
  ...resumingCommands,
  ...recordingCommands,
  ...serviceCommands,
}

export interface Tally {
  operations: number
  refused: number
  repeated: number
}

/** Who looks on beside a sequence. */
export interface Beside {
  /** Nothing of it is done yet. */
  begin: (stage: Stage) => Promise<void>
  /** A step was done. */
  seen: (stage: Stage) => Promise<void>
  /** No other step follows. */
  end: (stage: Stage) => Promise<void>
}

export interface Sequence {
  /** Drawn without knowing what will be possible: those that are not are passed over. */
  steps: readonly Step[]
  /** So many of them are done. */
  most: number
}

/** What was done under a key, and what it was answered: sent again, it changes nothing. */
interface Kept {
  send: (key: string) => Promise<unknown>
  key: string
  answer: unknown
}

/** Every step against the service, with what the model foresees of it, and every invariant after it. */
export async function play(
  theatre: Theatre,
  { steps, most }: Sequence,
  tally: Tally,
  beside?: Beside,
): Promise<void> {
  const stage = await theatre.open()
  await beside?.begin(stage)
  const { db } = stage.domain
  let state = await readState(db)
  let kept: Kept | undefined
  let needs = ''
  let left = most
  for (const step of steps) {
    if (left === 0) break
    const plan = step.do === 'again' ? undefined : commands[step.do]?.plan({ stage, state }, step)
    if (step.do === 'again' && kept) {
      state = await repeat(db, kept, { before: state, tally })
      kept = undefined
      left -= 1
    }
    if (!plan) continue
    left -= 1
    const done = await perform(stage, plan, { before: state, tally })
    state = done.after
    needs = await checkNeeds(stage, state, needs)
    // time may end what is kept
    if (step.do === 'jump' || step.do === 'outage') kept = undefined
    kept = done.kept ?? kept
    for (const { id } of state.entries) stage.entries.add(id)
    await beside?.seen(stage)
  }
  await beside?.end(stage)
}

interface Doing {
  before: State
  tally: Tally
}

async function perform(stage: Stage, plan: Plan, { before, tally }: Doing) {
  const { db } = stage.domain
  const key = crypto.randomUUID()
  const send = (idempotencyKey: string) => plan.call({ idempotencyKey })
  // a call that is keyed as a rule may go without its key, and what is repeated then is answered anew
  let isSentWithKey = false
  const options = {
    get idempotencyKey() {
      isSentWithKey = true
      return key
    },
  }
  const { answer, refusal } = await outcomeOf(plan.call(plan.keyed ? options : {}))
  tally.operations += 1
  checkForeseen(plan.foreseen, refusal)
  const after = await readState(db)
  if (refusal !== undefined) {
    tally.refused += 1
    await checkNothingWritten(db, before.horizon, plan.traces)
    return { after, kept: undefined }
  }
  checkTransitions(before, after, { ...plan.moves, affects: plan.affects })
  plan.expect({ before, after, answer })
  await checkInvariants(db)
  await checkAnswered(stage.alice, answer)
  return { after, kept: isSentWithKey ? { send, key, answer } : undefined }
}

/** The same key and body again: the same answer, and no second effect. */
async function repeat(db: Database, kept: Kept, { before, tally }: Doing): Promise<State> {
  const { answer, refusal } = await outcomeOf(kept.send(kept.key))
  tally.operations += 1
  tally.repeated += 1
  hold(refusal === undefined, 'I-24', `what was done is refused when it is repeated: ${refusal}`)
  const isSame = isDeepStrictEqual(plain(answer), plain(kept.answer))
  hold(isSame, 'I-24', 'what was repeated has another answer')
  await checkNothingWritten(db, before.horizon)
  return readState(db)
}

function plain(answer: unknown): unknown {
  return answer === undefined ? undefined : JSON.parse(JSON.stringify(answer))
}

async function outcomeOf(call: Promise<unknown>): Promise<{ answer?: unknown; refusal?: string }> {
  try {
    return { answer: await call }
  } catch (error) {
    if (isServiceError(error) && error.code !== 'unavailable') return { refusal: error.code }
    if (error instanceof Violation) throw error
    throw new Violation(
      'I-27',
      `it failed: ${error instanceof Error ? error.stack : String(error)}`,
    )
  }
}

function checkForeseen(foreseen: Foreseen, refusal: string | undefined): void {
  const came = refusal ?? 'done'
  const allowed = typeof foreseen === 'object' ? foreseen.maybe : [foreseen ?? 'done']
  const isForeseen = allowed.some((one) => one === came)
  hold(isForeseen, 'foreseen', `it was to be ${allowed.join(' or ')}, and was ${came}`)
}

/** I-06. That a token was used is noted outside of a call, and is no part of it. */
async function checkNothingWritten(
  db: Database,
  horizon: string,
  traces: readonly string[] = [],
): Promise<void> {
  const { rows } = await (await selectWritten(db, horizon)).execute(db)
  const tables = rows.map(({ name }) => name).filter((name) => !traces.includes(name))
  hold(tables.length === 0, 'I-06', `it was to change nothing, and wrote ${tables.join(', ')}`)
}

async function selectWritten(db: Database, horizon: string) {
  const parts = (await listTables(db)).map(
    (name) =>
      sql`select ${sql.lit(name)} as name from ${sql.raw(name)} where xmin::text::bigint >= ${horizon}::bigint`,
  )
  return sql<{ name: string }>`${sql.join(parts, sql` union `)}`
}

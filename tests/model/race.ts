import type { Database } from '@svc/db/database'
import { type TestRunner, leaseOf } from '@svc/domain/testing/runner'
import { sql } from 'kysely'
import { Violation, hold } from './command.ts'
import { checkInvariants } from './invariants.ts'
import type { Theatre } from './stage.ts'

const claimers = 8

/** Somebody is about to move the oldest request: a claim takes the next one and does not wait. */
function claimBesideLock(db: Database, runner: TestRunner) {
  return db.transaction().execute(async (tx) => {
    await sql`select from execution_requests order by created_at, id limit 1 for no key update`.execute(
      tx,
    )
    try {
      return await runner.claim()
    } catch (error) {
      throw new Violation(
        'I-03',
        `a claim waited for the lock of another's request: ${String(error)}`,
      )
    }
  })
}

function found<T>(all: readonly T[], index: number): T {
  const one = all[index]
  if (one === undefined) throw new Error(`there is no number ${index}`)
  return one
}

/** As many claims at once as there are requests: each gets one, and no two the same. I-01, I-03. */
export async function raceClaims(theatre: Theatre): Promise<number> {
  const { domain, alice, projectId, runners } = await theatre.open()
  const order = { projectId, title: 'A race', allowParallelObjectives: true }
  const instructions = Array.from({ length: claimers }, () => ({ instruction: 'run' }))
  const { objectives } = await alice.call('createMission', { ...order, objectives: instructions })
  for (const { id } of objectives) await alice.launch({ id })
  const runnerOf = (index: number) => found(runners, index % runners.length).runner
  const first = await claimBesideLock(domain.db, runnerOf(0))
  const answers = await Promise.all(objectives.slice(1).map((_, index) => runnerOf(index).claim()))
  const taken = [first, ...answers].flatMap((answer) =>
    answer.request ? [leaseOf(answer).id] : [],
  )
  hold(new Set(taken).size === taken.length, 'I-01', 'two claims took one request')
  hold(taken.length === claimers, 'I-03', 'a claim was answered nothing while a request waited')
  await checkInvariants(domain.db)
  return claimers
}

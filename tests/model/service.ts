import { sweep } from '@svc/domain/sweep/sweep'
import { advanceQueues } from '@svc/domain/run-queues/planner/planner'
import { advance } from '@svc/testing/clock'
import { sql } from 'kysely'
import { checkWithinBudget } from './budgets.ts'
import { type Command, type Moves, command, hold } from './command.ts'
import { isPlannable } from './queues.ts'
import type { Stage } from './stage.ts'
import type { State } from './state.ts'

/** Either side of each limit that time has: leases, silence, attach, cancel, and how long a question is open. */
const jumps = [20, 65, 100, 310, 650, 1_000, 1_000, 15 * 86_400] as const
const jumpOf = (how: number) => jumps[how % jumps.length] ?? 20

/** What time may end, and an advance that is pending after a delivery. */
const ends: Moves = {
  objective: [
    'launchMissing',
    'launchFail',
    'launchCancel',
    'exit',
    'lose',
    'cancel',
    'advance',
    'awaitApproval',
  ],
  request: [
    'requeue',
    'exhaust',
    'expire',
    'lose',
    'park',
    'resume',
    'cancel',
    'cancelRun',
    'expireQuestion',
    'supersede',
  ],
  session: ['fallSilent', 'lose', 'exit', 'cancel', 'expireQuestion'],
  question: ['withdraw', 'expire'],
}

function overdueOf({ requests, sessions, questions }: State): string[] {
  return [...requests, ...sessions, ...questions].filter((one) => one.overdue).map(({ id }) => id)
}

/** Something is there that ends by time alone. */
function timeEnds({ requests, sessions, questions }: State): boolean {
  return (
    requests.some(({ status }) => claimed.includes(status)) ||
    sessions.some(({ status }) => attached.includes(status)) ||
    questions.some(({ status }) => status === 'open')
  )
}

const claimed = ['claimed', 'launching', 'launched']
const attached = ['active', 'waiting_answer', 'stale', 'parked']

/** But for sessions, which may have fallen silent. */
function statesOf({ objectives, requests, questions }: State): string {
  return JSON.stringify([
    objectives.map(({ state }) => state),
    requests.map(({ status, outcome }) => [status, outcome]),
    questions.map(({ status }) => status),
  ])
}

/** Their machines are there, whatever became of the runs on them: else no launch finds its resource connected. */
async function hearRunners({ runners }: Stage): Promise<void> {
  for (const { runner } of runners) await runner.heartbeat()
}

export const serviceCommands: Record<string, Command> = {
  sweep: command({
    // seldom possible: a run that time has ended is soon ended otherwise, too
    weight: 40,
    targets: ({ stage }) => [stage.domain],
    foresee: () => undefined,
    helps: ({ state }) => overdueOf(state).length > 0,
    moves: ends,
    affects: () => 'all',
    call: (_, domain) => sweep(domain),
    expect({ before, after }) {
      const left = overdueOf(after)
      hold(left.length === 0, 'I-19', `the sweep left ${left.join(', ')}, whose time is over`)
      const isEarly = overdueOf(before).length === 0 && statesOf(before) !== statesOf(after)
      hold(!isEarly, 'I-19', 'the sweep ended what still had time')
    },
  }),
  plan: command({
    weight: 8,
    targets: ({ stage }) => [stage.domain],
    foresee: () => undefined,
    helps: ({ state }) =>
      state.queues.some(
        (queue) =>
          queue.advancePending || state.entries.some((one) => one.queue === queue.id && one.turn),
      ),
    moves: { objective: ['launch'] },
    affects: () => 'all',
    call: (_, domain) => advanceQueues(domain),
    expect({ before, after }) {
      const due = before.queues.filter((queue) => isPlannable(before, queue))
      const left = due.find((queue) => isPlannable(after, queue))
      hold(!left, 'Q-11', 'an advance of a queue was pending, and nothing was launched')
      checkWithinBudget(before, after)
      const made = after.requests.length - before.requests.length
      const isPending = before.queues.some(
        (queue) =>
          queue.advancePending || before.entries.some((one) => one.queue === queue.id && one.turn),
      )
      hold(made === 0 || isPending, 'Q-09', 'no advance was pending, and something was launched')
    },
  }),
  jump: command({
    weight: 8,
    targets: ({ stage }) => [stage.domain],
    foresee: () => undefined,
    helps: ({ state }) => overdueOf(state).length === 0 && timeEnds(state),
    moves: {},
    affects: () => [],
    // as long as the sweep runs, it forgives no outage
    async call({ stage }, { db }, how) {
      await db.transaction().execute(async (tx) => {
        await advance(tx, jumpOf(how) * 1000)
        await sql`update sweep_state set last_pass_at = app.now()`.execute(tx)
      })
      await hearRunners(stage)
    },
  }),
  outage: command({
    weight: 1,
    targets: ({ stage }) => [stage.domain],
    foresee: () => undefined,
    moves: {},
    affects: () => [],
    async call({ stage }, { db }, how) {
      await advance(db, jumpOf(how) * 1000)
      await hearRunners(stage)
    },
  }),
}

import type { Mistake } from '../model/plant.ts'

/** A mistake in the runner, which one of its tests has to see. */
export interface RunnerDefect extends Mistake {
  noticedBy: { file: string; test: string }
}

const runner = 'apps/runner/src'
const daemon = `${runner}/daemon/daemon.test.ts`
const checkouts = `${runner}/daemon/checkouts.test.ts`

export const runnerDefects: readonly RunnerDefect[] = [
  {
    name: 'the spawn is not written down before it',
    file: `${runner}/supervisor/supervise.ts`,
    text: "run.record({ step: 'spawning', argvRedacted })",
    replacement: '',
    noticedBy: { file: daemon, test: 'is ended and reported when a supervisor is lost' },
  },
  {
    name: 'a superseded supervisor goes on',
    file: `${runner}/supervisor/supervise.ts`,
    text: 'superseded: () => run.supersede(),',
    replacement: 'superseded: () => undefined,',
    noticedBy: { file: daemon, test: 'is silent once it was superseded' },
  },
  {
    name: 'a claim is repeated under a new id',
    file: `${runner}/daemon/daemon.ts`,
    text: 'claimBody(context, claimId, offer, capacity)',
    replacement: 'claimBody(context, randomUUID(), offer, capacity)',
    noticedBy: { file: daemon, test: 'repeats an unanswered claim under the same id' },
  },
  {
    name: 'whoever recovers a run reports nothing',
    file: `${runner}/daemon/recover.ts`,
    text: "if (run.fence.aborted || findStep(steps, 'reported') !== undefined) return",
    replacement: 'return',
    noticedBy: {
      file: `${runner}/daemon/recover.test.ts`,
      test: 'a run without daemon and supervisor',
    },
  },
  {
    name: 'an attach does not say which generation it is of',
    file: 'apps/cli/src/protocol/attach.ts',
    text: "generation: given.generation ?? (Number(env['SVC_EXECUTION_GENERATION']) || undefined),",
    replacement: '',
    noticedBy: {
      file: 'apps/cli/src/protocol/call.test.ts',
      test: 'attach',
    },
  },
  {
    name: 'a kept call is sent under a new key',
    file: `${runner}/run/spool.ts`,
    text: 'await send(call.idempotencyKey)',
    replacement: 'await send(crypto.randomUUID())',
    noticedBy: { file: daemon, test: 'sends the calls that its agent left behind' },
  },
  {
    name: 'whoever holds a checkout is passed over',
    file: `${runner}/supervisor/take-checkout.ts`,
    text: 'if (blocking !== undefined) return heldWorkingTree(tree, blocking, timing)',
    replacement: '',
    noticedBy: { file: checkouts, test: 'share the one checkout of a project without worktrees' },
  },
  {
    name: 'a second supervisor takes the run, too',
    file: `${runner}/run/supervision.ts`,
    text: 'if (!takeProcessLock(lockOf(folder)).taken) return false',
    replacement: 'takeProcessLock(lockOf(folder))',
    noticedBy: {
      file: `${runner}/supervisor/main.test.ts`,
      test: 'that is started at once with another for the same run',
    },
  },
]

import type { Mistake } from '../model/plant.ts'

/** A mistake in the runner, or in what its reports come to, which one test has to see. */
export interface RunnerDefect extends Mistake {
  noticedBy: { file: string; test: string }
}

const runner = 'apps/runner/src'
const daemon = `${runner}/daemon/daemon.test.ts`
const checkouts = `${runner}/daemon/checkouts.test.ts`
const checks = `${runner}/supervisor/checks.large.test.ts`
const offer = `${runner}/daemon/offer.large.test.ts`
const spoken = `${runner}/supervisor/start-by-protocol.large.test.ts`

export const runnerDefects: readonly RunnerDefect[] = [
  {
    name: 'the spawn is not written down before it',
    file: `${runner}/supervisor/launch.ts`,
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
    file: `${runner}/daemon/claim-all.ts`,
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
      file: `${runner}/daemon/recover.large.test.ts`,
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
      file: `${runner}/supervisor/main.large.test.ts`,
      test: 'that is started at once with another for the same run',
    },
  },
  {
    name: 'the first command of a line is judged for all of it',
    file: `${runner}/agents/acp/judge-call.ts`,
    text: 'return needs.reduce(moreOf)',
    replacement: "return needs[0] ?? 'all'",
    noticedBy: {
      file: `${runner}/agents/acp/judge-call.test.ts`,
      test: 'npm test; rm -rf ~',
    },
  },
  {
    name: 'a limit that ended an agent holds nothing',
    file: `${runner}/supervisor/finish.ts`,
    text: 'if (limit) holdAgentOf(run, limit)',
    replacement: '',
    noticedBy: { file: offer, test: 'is reported with that, and not offered until its time' },
  },
  {
    name: 'a limit that an agent goes on trying at ends nothing',
    file: `${runner}/supervisor/launch.ts`,
    text: "if (endsRun) stopping.stop({ cause: 'agent', silent: false })",
    replacement: 'if (endsRun) setTimeout(() => process.exit(9), 5_000)',
    noticedBy: { file: offer, test: 'would go on trying for minutes' },
  },
  {
    name: 'a turn that failed by a limit ended well',
    file: `${runner}/run/met-limit.ts`,
    text: "(limited.endsRun === true || protocol === 'acp')",
    replacement: 'limited.endsRun === true',
    noticedBy: { file: spoken, test: 'a turn that fails by a limit of the provider is one' },
  },
  {
    name: 'a check is given what speaks for the run',
    file: `${runner}/supervisor/run-check.ts`,
    text: '...checkEnvironment(around.environment, tmpDirectory)',
    replacement: '...around.environment',
    noticedBy: { file: checks, test: 'run in the checkout without what speaks for the run' },
  },
  {
    name: 'what a check leaves goes on',
    file: `${runner}/supervisor/run-check.ts`,
    text: 'await endRunProcesses([identity], { ...run.marker, check: mark }, run.order.timing)',
    replacement: '',
    noticedBy: { file: checks, test: 'leave nothing behind' },
  },
  {
    name: 'a conversation is counted whole with each of its runs',
    file: 'packages/domain/src/lifecycle/conversation.ts',
    text: 'parts[what] = value < before ? value : value - before',
    replacement: 'parts[what] = value',
    noticedBy: {
      file: 'packages/domain/src/lifecycle/conversation.test.ts',
      test: 'a run of a conversation has what was not counted',
    },
  },
]

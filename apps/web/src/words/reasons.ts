import type { AgentLimit } from '@svc/contracts/agent-limit'
import type { FailureCode } from '@svc/contracts/failure-code'
import type { EntryReason, entryReasons } from '@svc/contracts/run-queue'
import type { ExitCause, ReleaseReason } from '@svc/contracts/runner'
import type { SessionEndReason } from '@svc/contracts/states'

// Why something waits or ended, in a sentence, where the service says it by a name alone. Its own message goes before these.
// Each table has a row for each name of the contracts: a new one without its sentence does not compile.

/** Why a runner gave a run back, which is queued again. */
export const releaseWords: Readonly<Record<ReleaseReason, string>> = {
  quota: 'The quota of its agent is used up for now.',
  rate_limit: 'The provider of its agent takes no more calls for now.',
  signed_out: 'Nobody is signed in to its agent on that machine.',
  checkout_busy: 'Another run was in its checkout.',
  branch_elsewhere: 'Its branch is on another machine, and not pushed.',
  runner_draining: 'That runner was about to stop.',
  supervisor_lost: 'The process that had it in its care was gone.',
  spawn_eagain: 'That machine could start no more processes.',
  network: 'That machine lost its connection.',
}

/** Why a run failed before its agent was at work. */
export const failureWords: Readonly<Record<FailureCode, string>> = {
  agent_not_found: 'Its agent is not installed on that machine.',
  auth_required: 'Its agent is not signed in on that machine.',
  bad_flag: 'Its agent does not know a flag of the launch settings.',
  bad_order: 'That runner could not read what it was to do: its version may be too old.',
  bad_placeholder: 'The launch settings name something that is not known there.',
  bad_working_directory: 'Its working directory cannot be used.',
  branch_conflict: 'Its branch cannot be made next to one that is there.',
  branch_gone: 'Its branch is neither on that machine, nor pushed, nor merged.',
  dirty_checkout: 'Its checkout holds changes that nobody has committed.',
  disk_full: 'The disk of that machine is full.',
  launch_config_untrusted: 'That machine does not trust the launch settings of the project yet.',
  pre_command_failed: 'The command that the project runs before its agent failed.',
  pre_command_timeout: 'The command that the project runs before its agent took too long.',
}

/** What ended the process of an agent. */
export const exitWords: Readonly<Record<(typeof ExitCause.options)[number], string>> = {
  agent: 'It ended by itself.',
  cancelled: 'It was called off.',
  max_runtime: 'It took longer than its project allows.',
  handed_over: 'It left its checkout to the next run after its delivery.',
  supervisor_lost: 'The process that had it in its care was gone.',
  host_rebooted: 'Its machine was started anew.',
  runner_stopped: 'Its runner was stopped.',
}

/** Why a session is over. */
export const sessionEndWords: Readonly<Record<SessionEndReason, string>> = {
  delivered: 'Its agent has delivered.',
  exited: 'Its agent ended without a delivery.',
  superseded: 'Another agent took its objective over.',
  cancelled: 'It was called off.',
  question_expired: 'Nobody answered its question in time.',
}

/** What keeps a provider from taking work. */
export const limitWords: Readonly<Record<AgentLimit, string>> = {
  quota: 'The quota of its account is used up.',
  rate_limit: 'Its provider takes no more calls for now.',
  signed_out: 'Nobody is signed in to it on that machine.',
}

type Ends = (typeof entryReasons)[EntryReason]['ends']

/** Who ends what keeps an entry of a run queue from being launched. */
export const endsWords: Readonly<Record<Ends, string>> = {
  time: 'It goes on by itself once that is over.',
  person: 'A person ends it, and then it is looked at again.',
  retry: 'A person ends it by trying it again.',
}

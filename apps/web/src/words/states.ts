import type { CardBadge } from '@svc/contracts/board'
import type { FileChange } from '@svc/contracts/change-rationale'
import type { CheckOutcome } from '@svc/contracts/check'
import type { EntryReason, EntryState, PauseReason, RunQueue } from '@svc/contracts/run-queue'
import type {
  LastOutcome,
  ObjectiveState,
  QuestionStatus,
  RequestStatus,
  RunOutcome,
  SessionStatus,
  StatusType,
} from '@svc/contracts/states'
import type { DisabledReason } from '@svc/contracts/webhook-subscription'

/** How a state looks: never by its colour alone. */
export type Tone = 'quiet' | 'busy' | 'waits' | 'good' | 'bad'

/** A state in the words of people: a sign, a word, and what it means for them. */
export interface Wording {
  sign: string
  word: string
  sentence: string
  tone: Tone
}

/** A row of such a table. */
export const as = (sign: string, word: string, tone: Tone, sentence: string): Wording => ({
  sign,
  word,
  tone,
  sentence,
})

// Each table has a row for each name of the contracts: a new one without its words does not compile.

export const objectiveWords: Readonly<Record<ObjectiveState, Wording>> = {
  draft: as('▤', 'draft', 'quiet', 'It is being written; nothing launches it by itself.'),
  submitted: as('▤', 'ready', 'quiet', 'It waits to be launched.'),
  awaiting_approval: as(
    '‖',
    'awaits approval',
    'waits',
    'A person has to launch it or send it back.',
  ),
  launching: as('◔', 'launching', 'busy', 'A run of it is on its way to a runner.'),
  executing: as('●', 'running', 'busy', 'An agent works on it.'),
  complete: as('✓', 'complete', 'good', 'Its agent has delivered.'),
}

export const lastOutcomeWords: Readonly<Record<LastOutcome, Wording>> = {
  lost: as('!', 'lost', 'bad', 'Nothing was heard of its agent for too long.'),
  exited: as('!', 'ended early', 'bad', 'Its agent ended without a delivery.'),
  cancelled: as('✕', 'cancelled', 'quiet', 'Its last run was called off.'),
  question_expired: as('!', 'not answered', 'bad', 'Nobody answered its question in time.'),
}

export const requestWords: Readonly<Record<RequestStatus, Wording>> = {
  queued: as('◌', 'queued', 'quiet', 'It waits for a runner that can take it.'),
  claimed: as('◔', 'claimed', 'busy', 'A runner has taken it.'),
  launching: as('◔', 'launching', 'busy', 'Its runner prepares the checkout and starts the agent.'),
  launched: as('●', 'launched', 'busy', 'Its agent was started.'),
  failed: as('!', 'failed', 'bad', 'It ended before its agent was at work.'),
  cancelled: as('✕', 'cancelled', 'quiet', 'It was called off, or another run has its place.'),
  expired: as('!', 'expired', 'bad', 'Its agent was started and never reported for work.'),
}

export const outcomeWords: Readonly<Record<RunOutcome, Wording>> = {
  running: as('●', 'running', 'busy', 'Its agent is at work.'),
  parked: as(
    '‖',
    'parked',
    'waits',
    'It goes on with an answer, or when its provider takes work again.',
  ),
  delivered: as('✓', 'delivered', 'good', 'Its agent has delivered.'),
  exited: as('!', 'ended early', 'bad', 'Its agent ended without a delivery.'),
  lost: as('!', 'lost', 'bad', 'Nothing was heard of its agent for too long.'),
  cancelled: as(
    '✕',
    'cancelled',
    'quiet',
    'It was called off, or somebody else took the objective over.',
  ),
}

export const sessionWords: Readonly<Record<SessionStatus, Wording>> = {
  active: as('●', 'at work', 'busy', 'Its agent was heard of a short while ago.'),
  waiting_answer: as(
    '?',
    'waits for an answer',
    'waits',
    'Its agent asks what only a person can say.',
  ),
  stale: as('◌', 'silent', 'waits', 'Its agent was not heard of for a while.'),
  parked: as(
    '‖',
    'waits for its provider',
    'waits',
    'Its agent has ended, and goes on when its provider takes work again.',
  ),
  lost: as('!', 'lost', 'bad', 'Nothing was heard of its agent for too long.'),
  ended: as('✓', 'ended', 'quiet', 'Its agent says nothing more.'),
}

export const questionWords: Readonly<Record<QuestionStatus, Wording>> = {
  open: as('?', 'open', 'waits', 'It waits for somebody to answer it.'),
  answered: as('◔', 'answered', 'busy', 'Its agent has yet to take the answer.'),
  delivered: as('✓', 'answered', 'good', 'Its agent has the answer.'),
  withdrawn: as('✕', 'withdrawn', 'quiet', 'Its agent needs no answer any more.'),
  expired: as('!', 'expired', 'bad', 'Nobody answered it in time.'),
}

export const phaseWords: Readonly<Record<StatusType, Wording>> = {
  draft: as('▤', 'planned', 'quiet', 'Nothing of it has begun.'),
  execute: as('●', 'in progress', 'busy', 'Agents work on it, or will.'),
  review: as('▣', 'in review', 'waits', 'Something was delivered, for a person to look at.'),
  complete: as('✓', 'done', 'good', 'It is accepted and closed.'),
  blocked: as('‖', 'blocked', 'waits', 'It waits for something outside of it.'),
  cancelled: as('✕', 'cancelled', 'quiet', 'It was given up.'),
}

/** What a card of a board says of its mission; how long, and what it waits on, stands next to it. */
export const badgeWords: Readonly<Record<CardBadge, Wording>> = {
  waits: as('?', 'waits', 'waits', 'An agent of it asks what only a person can say.'),
  awaits_approval: as(
    '‖',
    'awaits approval',
    'waits',
    'A person has to launch an objective of it or send it back.',
  ),
  failed: as('!', 'stopped', 'bad', 'A run of it ended without a delivery.'),
  running: as('●', 'running', 'busy', 'An agent works on it.'),
  queued: as('◌', 'queued', 'quiet', 'A run of it waits for a runner that can take it.'),
}

export const queueWords: Readonly<Record<RunQueue['state'], Wording>> = {
  idle: as('◌', 'idle', 'quiet', 'Nothing of it runs.'),
  running: as('●', 'running', 'busy', 'An entry of it is under way.'),
  owing: as('◔', 'about to launch', 'busy', 'A delivery asks for its next entry.'),
  paused: as('‖', 'paused', 'waits', 'It launches nothing until it is let go on.'),
}

export const pauseWords: Readonly<Record<PauseReason, string>> = {
  run_failed: 'A run of it failed.',
  run_lost: 'A run of it was lost.',
  run_exited: 'The agent of a run ended without a delivery.',
  run_cancelled: 'A run of it was called off.',
  question_expired: 'Nobody answered the question of a run in time.',
}

/** Why a webhook is sent nothing. */
export const disabledWords: Readonly<Record<DisabledReason, string>> = {
  failures: 'Too many deliveries failed, one after the other.',
  manual: 'An admin disabled it.',
}

export const entryWords: Readonly<Record<EntryState, Wording>> = {
  waiting: as('◌', 'waiting', 'quiet', 'It is launched when its turn comes.'),
  held: as('‖', 'held', 'waits', 'It is not launched until a person ends what holds it.'),
  dispatched: as('◔', 'launching', 'busy', 'Its run is on its way to a runner.'),
  running: as('●', 'running', 'busy', 'An agent works on it.'),
}

export const entryReasonWords: Readonly<Record<EntryReason, string>> = {
  turn: 'Others stand before it.',
  mission_busy: 'Another objective of its mission is under way.',
  resource_not_connected: 'No runner that is here has its checkout.',
  no_instruction: 'It has no instruction: write one.',
  no_agent: 'No agent is named for it: name one.',
  no_resource: 'Its project has several resources: name one.',
  resource_read_only: 'Its resource may only be read: name another.',
  mission_closed: 'Its mission is closed: open it again.',
  budget_exhausted: 'The budget of its mission is used up: raise it.',
  budget_unknown_cost:
    'Its agent does not say what it costs, and the mission has a budget of money.',
  forbidden: 'Who queued it may not launch it any more.',
  run_failed: 'Its run failed: try it again.',
  run_lost: 'Its run was lost: try it again.',
  run_exited: 'Its agent ended without a delivery: try it again.',
  question_expired: 'Nobody answered its question in time: try it again.',
  check_failed: 'A check of the delivery before it failed: try it again.',
  check_not_run: 'A check of the delivery before it could not be run: try it again.',
}

export const checkWords: Readonly<Record<CheckOutcome, Wording>> = {
  passed: as('✓', 'passed', 'good', 'It ended without a failure.'),
  failed: as('!', 'failed', 'bad', 'It ended with a failure.'),
  timed_out: as('!', 'took too long', 'bad', 'It was ended at its time limit.'),
  not_run: as('◌', 'not run', 'waits', 'Nobody could run it, so it says nothing of the work.'),
}

/** What became of a file, by the letter that Git has for it. */
export const fileWords: Readonly<Record<NonNullable<FileChange['vcsStatus']>, Wording>> = {
  added: as('A', 'added', 'good', 'It was not there before.'),
  untracked: as('A', 'added', 'good', 'It was not there before, and is in no commit.'),
  modified: as('M', 'changed', 'busy', 'It was there before.'),
  deleted: as('D', 'deleted', 'bad', 'It is there no more.'),
  renamed: as('R', 'moved', 'busy', 'It was elsewhere before.'),
  copied: as('C', 'copied', 'busy', 'It was made from another one.'),
}

import type { MissionEventType } from '@svc/contracts/mission'
import type { Tone } from './states.ts'

/** What the built-in kinds are sorted by, for who wants to see some of them. */
export type EventGroup = 'work' | 'questions' | 'runs' | 'changes'

export interface EventWording {
  sign: string
  tone: Tone
  /** What its author did; what they said stands behind it where `isSaid`. Else its summary is a sentence of the service. */
  word: string
  isSaid: boolean
  group: EventGroup
}

type BuiltIn = Exclude<MissionEventType, `${string}:${string}`>

const says = (sign: string, tone: Tone, word: string, group: EventGroup): EventWording => ({
  sign,
  tone,
  word,
  isSaid: true,
  group,
})
const tells = (sign: string, tone: Tone, word: string, group: EventGroup): EventWording => ({
  sign,
  tone,
  word,
  isSaid: false,
  group,
})

/** Each kind of entry in a mission's history: a new one without its words does not compile. */
export const eventWords: Readonly<Record<BuiltIn, EventWording>> = {
  update: says('●', 'busy', 'reports', 'work'),
  ask: says('?', 'waits', 'asks', 'questions'),
  answer: says('✓', 'good', 'answers', 'questions'),
  question_closed: tells('✕', 'quiet', 'question closed', 'questions'),
  delivery: says('▣', 'good', 'delivers', 'work'),
  execution_requested: tells('◌', 'quiet', 'launch', 'runs'),
  execution_claimed: tells('◔', 'quiet', 'claimed', 'runs'),
  execution_launched: tells('◔', 'quiet', 'agent started', 'runs'),
  execution_released: tells('◌', 'waits', 'given back', 'runs'),
  execution_failed: tells('!', 'bad', 'failed', 'runs'),
  execution_cancelled: tells('✕', 'quiet', 'cancelled', 'runs'),
  check_run: tells('✓', 'quiet', 'checks', 'work'),
  cancel_requested: tells('✕', 'waits', 'cancel', 'runs'),
  cancel_superseded: tells('✓', 'good', 'delivered before the cancel', 'runs'),
  run_ended: tells('!', 'waits', 'run ended', 'runs'),
  session_attached: tells('●', 'busy', 'agent at work', 'runs'),
  session_lost: tells('!', 'bad', 'lost', 'runs'),
  session_revived: tells('●', 'good', 'heard again', 'runs'),
  awaiting_approval: tells('‖', 'waits', 'awaits approval', 'changes'),
  status_change: tells('▸', 'quiet', 'status', 'changes'),
  branch_prepared: tells('⎇', 'quiet', 'branch', 'runs'),
  artifact_added: tells('+', 'quiet', 'artifact', 'work'),
  artifact_updated: tells('+', 'quiet', 'artifact', 'work'),
  objective_changed: tells('▤', 'quiet', 'objectives', 'changes'),
  queue_paused: tells('‖', 'waits', 'queue paused', 'changes'),
  deleted: tells('✕', 'quiet', 'deleted', 'changes'),
  restored: tells('↺', 'quiet', 'restored', 'changes'),
}

/** What extensions have made, whose kinds nobody here knows. */
const ofOthers = says('◆', 'quiet', 'tells', 'work')

/** What became of it decides how an entry looks, by its kind and that outcome. */
const byOutcome: Readonly<Record<string, EventWording>> = {
  'check_run failed': tells('!', 'bad', 'checks failed', 'work'),
  'check_run not_run': tells('◌', 'waits', 'checks not run', 'work'),
  'run_ended parked': tells('‖', 'waits', 'run waits', 'runs'),
}

/** `outcome` is that of its data, where its kind has one. */
export function wordsOfEvent(type: string, outcome?: unknown): EventWording {
  const own = `${type} ${String(outcome)}`
  if (Object.hasOwn(byOutcome, own)) return byOutcome[own] ?? ofOthers
  // a later version of the service may have others
  return Object.hasOwn(eventWords, type) ? eventWords[type as BuiltIn] : ofOthers
}

export const eventGroups: Readonly<Record<EventGroup, string>> = {
  work: 'What agents report and deliver',
  questions: 'Questions and answers',
  runs: 'Runs',
  changes: 'Changes by people',
}

export function typesOfGroup(group: EventGroup): string[] {
  return Object.entries(eventWords).flatMap(([type, words]) =>
    words.group === group ? [type] : [],
  )
}

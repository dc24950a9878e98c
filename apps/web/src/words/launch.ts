import type { ConfigSource } from '@svc/contracts/execution-request'
import type { Candidate, CandidateReason } from '@svc/contracts/launch-forecast'
import type { Wording } from './states.ts'

// Each table has a row for each name of the contracts: a new one without its words does not compile.

/** Where a value comes from that a launch is made with. */
export const sourceWords: Readonly<Record<(typeof ConfigSource.options)[number], string>> = {
  request: 'Chosen for this launch.',
  objective: 'From the objective.',
  project: 'From the project.',
  default: 'As the agent has it.',
}

/** What keeps a runner from taking a launch, in a word or two. */
const reasonWords: Readonly<Record<CandidateReason, string>> = {
  away: 'away',
  other_name: 'not the one that is named',
  other_project: 'takes other projects',
  no_agent: 'does not offer the agent',
  no_checkout: 'has no checkout',
  other_machine: 'not the machine',
  agent_held: 'agent held',
  gave_back: 'gave it back',
  branch_in_use: 'branch in use',
  busy: 'busy',
}

/** How a runner stands to a launch; the sentence is that of the service. */
export function wordsOfCandidate({ able, reasons, runner: { capacity } }: Candidate): Wording {
  const [first] = reasons
  if (first === undefined) {
    const { running, max } = capacity
    const word = running === 0 ? 'idle' : `${running} of ${max} busy`
    return { sign: '●', word, tone: 'good', sentence: 'It takes the launch at once.' }
  }
  const sentence = reasons.map(({ message }) => message).join(' ')
  const word = reasonWords[first.code]
  return able
    ? { sign: '◔', word, tone: 'waits', sentence }
    : { sign: '○', word, tone: 'quiet', sentence }
}

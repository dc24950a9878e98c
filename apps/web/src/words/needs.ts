import type { Need, NeedCounts, NeedKind } from '@svc/contracts/need'
import { limits } from '../data/contracts.values.ts'
import { asSentence } from './as-sentence.ts'
import { counted } from './counted.ts'
import { failureWords } from './reasons.ts'
import {
  type Wording,
  as,
  checkWords,
  disabledWords,
  entryReasonWords,
  pauseWords,
} from './states.ts'

export type NeedOf<K extends NeedKind> = Extract<Need, { kind: K }>

interface Row<K extends NeedKind> {
  wording: Wording
  /** What it is about; an id leads to its page. */
  about: (need: NeedOf<K>) => { id?: string; title: string }
  /** Who it is of, and where that is. */
  who?: (need: NeedOf<K>) => string | null
  /** What there is to know before one acts, a sentence each. */
  said: (need: NeedOf<K>) => string[]
  /** Said when it was settled elsewhere. */
  settled: string
}

const ofObjective = ({ objective }: Pick<NeedOf<'approval'>, 'objective'>) => ({
  id: objective.displayId,
  title: objective.title,
})

/** What waits for a person, in the words of people. A new kind without its row does not compile. */
const rows: { readonly [K in NeedKind]: Row<K> } = {
  question: {
    wording: as('?', 'asks', 'waits', 'Its agent waits for an answer that only a person can give.'),
    about: ofObjective,
    who: ({ question, runner }) =>
      runner === null ? question.agentIdentifier : `${question.agentIdentifier} on ${runner}`,
    said: ({ question }) => [question.question],
    settled: 'Nobody waits for an answer any more.',
  },
  review: {
    wording: as('▣', 'in review', 'waits', 'Something was delivered, for a person to look at.'),
    about: ({ mission }) => ({ id: mission.displayId, title: mission.title }),
    said: ({ delivery }) => saidOfDelivery(delivery),
    settled: 'It is not in review any more.',
  },
  approval: {
    wording: as('‖', 'awaits approval', 'waits', 'A person has to launch it or send it back.'),
    about: ofObjective,
    said: ({ refusal }) => [
      refusal === null
        ? 'Its mission asks for a word of a person before it is launched.'
        : asSentence(refusal.message),
    ],
    settled: 'It has been launched or sent back.',
  },
  stopped_run: {
    wording: as('!', 'stopped', 'bad', 'Its last run came to nothing.'),
    about: ofObjective,
    who: ({ run }) => run?.agent ?? null,
    said: ({ reason }) => saidOfFailure(reason),
    settled: 'Somebody has seen to it.',
  },
  held_entry: {
    wording: as('‖', 'held', 'waits', 'Its queue goes on without it until a person ends that.'),
    about: ofObjective,
    said: ({ queue, reason }) => [
      ...(reason === null ? [] : [entryReasonWords[reason]]),
      `It is held in the queue ${queue.name}.`,
    ],
    settled: 'It is not held any more.',
  },
  paused_queue: {
    wording: as('‖', 'paused', 'waits', 'It launches nothing until it is let go on.'),
    about: ({ project, queue }) => ({ title: `The queue ${queue.name} of ${project.slug}` }),
    said: ({ reason, waiting }) => [
      reason === null ? 'A person paused it.' : pauseWords[reason],
      `${counted(waiting, 'objective')} ${waiting === 1 ? 'waits' : 'wait'} in it.`,
    ],
    settled: 'It goes on, or nothing waits in it any more.',
  },
  untaken_launch: {
    wording: as('◌', 'not taken', 'waits', 'It is queued, and no runner can take it.'),
    about: ofObjective,
    who: ({ run }) => run.agent,
    said: ({ reason }) => [asSentence(reason)],
    settled: 'A runner can take it now, or it was called off.',
  },
  disabled_webhook: {
    wording: as('!', 'disabled', 'bad', 'It is sent nothing until it is enabled again.'),
    about: ({ webhook }) => ({ title: `The webhook ${webhook.name}` }),
    who: ({ project }) => project?.slug ?? null,
    said: ({ webhook }) => [disabledWords[webhook.reason]],
    settled: 'It is enabled again, or was removed.',
  },
  ending_token: {
    wording: as('◔', 'ends soon', 'waits', 'What uses it stops working when it ends.'),
    about: ({ token }) => ({ title: `The token ${token.label}` }),
    who: ({ token }) => token.person.name,
    said: ({ token }) => [
      token.kind === 'oauth'
        ? 'An application uses it that was let in by its person.'
        : 'What uses it stops working when it ends.',
    ],
    settled: 'There is another one in its place, or it was ended.',
  },
}

/** A failure is said by its code, and then by what the runner says of it. */
function saidOfFailure(reason: string): string[] {
  const [, code = '', message = ''] = /^([a-z_]+): (.+)$/s.exec(reason) ?? []
  const words: Readonly<Record<string, string>> = failureWords
  const known = Object.hasOwn(words, code) ? words[code] : undefined
  return known === undefined ? [asSentence(reason)] : [known, asSentence(message)]
}

function saidOfDelivery(delivery: NeedOf<'review'>['delivery']): string[] {
  if (delivery === null) return ['Nothing was delivered: it was moved here by hand.']
  const { files, additions, deletions, checks, humanActions } = delivery
  const parts = [
    ...(files === null ? [] : [`${counted(files, 'file')} +${additions ?? 0} −${deletions ?? 0}`]),
    ...(checks === null ? [] : [`checks ${checkWords[checks].word}`]),
    ...(humanActions === 0 ? [] : [`${counted(humanActions, 'thing')} for you to do`]),
  ]
  return [parts.length === 0 ? 'It was delivered.' : parts.join(' · ')]
}

export interface NeedWords {
  wording: Wording
  about: { id?: string; title: string }
  who: string | null
  said: readonly string[]
  settled: string
}

export function wordsOfNeed<K extends NeedKind>(need: NeedOf<K>): NeedWords {
  // the row is that of its kind, which a type that is indexed by a name does not show
  const { wording, about, who, said, settled } = rows[need.kind] as unknown as Row<K>
  return { wording, about: about(need), who: who?.(need) ?? null, said: said(need), settled }
}

/** How many there are of all kinds; as many as are counted may be more. */
export function totalOf(
  counts: NeedCounts,
  whose: 'mine' | 'all',
): { count: number; text: string } {
  const numbers = Object.values(counts).map((one) => one[whose])
  const count = numbers.reduce((sum, one) => sum + one, 0)
  const mayBeMore = numbers.some((one) => one >= limits.countedNeeds)
  return { count, text: mayBeMore ? `${count}+` : String(count) }
}

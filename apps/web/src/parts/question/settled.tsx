import type { Question } from '@svc/contracts/question'
import { Icon } from '../../ui/icon.tsx'
import { KeptWords } from '../../ui/kept-words.tsx'
import { Text } from '../../ui/text.tsx'
import { Ago } from '../../ui/time.tsx'
import { questionWords } from '../../words/states.ts'

interface SettledProps {
  question: Question
  /** It was deleted, or may not be seen any more. */
  isMissing: boolean
  /** What was typed here and not sent. */
  kept: string
  onDiscard: () => void
}

/** Somebody has answered it, or nobody waits for an answer any more. What was typed here stays, to copy. */
export function Settled({
  question: { answer, status },
  isMissing,
  kept,
  onDiscard,
}: SettledProps) {
  return (
    <>
      {answer ? (
        <p>
          <Icon name="check" /> <Text>{answer.by}</Text> answered <Ago at={answer.at} />:{' '}
          <Text>{answer.text}</Text>
        </p>
      ) : (
        <p>{wordsOfSettled(status, isMissing)}</p>
      )}
      <KeptWords text={kept} onDiscard={onDiscard} />
    </>
  )
}

/** What became of it may not be known yet. */
function wordsOfSettled(status: Question['status'], isMissing: boolean): string {
  if (isMissing) return 'It is not here any more.'
  return status === 'open' ? 'It is settled.' : questionWords[status].sentence
}

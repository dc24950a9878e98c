import type { Question } from '@svc/contracts/question'
import { Button } from '../../ui/button.tsx'
import { CopyText } from '../../ui/copy.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Text } from '../../ui/text.tsx'
import { Ago } from '../../ui/time.tsx'
import { questionWords } from '../../words/states.ts'
import styles from './question.module.css'

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
      {kept.trim() !== '' && (
        <>
          <p className={styles['quiet']}>You had written:</p>
          <CopyText text={kept} what="what you had written" />
          <div>
            <Button onClick={onDiscard}>Discard it</Button>
          </div>
        </>
      )}
    </>
  )
}

/** What became of it may not be known yet. */
function wordsOfSettled(status: Question['status'], isMissing: boolean): string {
  if (isMissing) return 'It is not here any more.'
  return status === 'open' ? 'It is settled.' : questionWords[status].sentence
}

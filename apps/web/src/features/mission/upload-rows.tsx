import { useEffect } from 'react'
import { isUnanswered } from '../../data/unanswered.ts'
import { unansweredWords, wordsOf } from '../../shell/problem.tsx'
import { announceRefusal } from '../../ui/announce.ts'
import { Button } from '../../ui/button.tsx'
import { Hidden } from '../../ui/hidden.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Text } from '../../ui/text.tsx'
import styles from './attachments.module.css'
import { type Upload, type Uploads, isTooLarge } from './use-upload.ts'

/** The files that are on their way, and those that did not get there. */
export function UploadRows({ of: { all, again, dismiss } }: { of: Uploads }) {
  return all.map((upload) => (
    <li key={upload.key} className={styles['upload']}>
      <Icon name="attach" />
      <Text>{upload.file.name}</Text>
      {upload.problem === undefined ? (
        <span role="status">is being sent …</span>
      ) : (
        <Failed
          upload={upload}
          problem={upload.problem}
          onAgain={() => again(upload)}
          onDismiss={() => dismiss(upload)}
        />
      )}
    </li>
  ))
}

interface FailedProps {
  upload: Upload
  problem: Error
  onAgain: () => void
  onDismiss: () => void
}

function Failed({ upload, problem, onAgain, onDismiss }: FailedProps) {
  const said = isUnanswered(problem)
    ? `${unansweredWords(problem)} Sent again, it is attached once.`
    : wordsOf(problem)
  useEffect(() => announceRefusal(said), [said])
  return (
    <>
      <span>
        <Text>{said}</Text>
      </span>
      {!isTooLarge(upload.file) && <Button onClick={onAgain}>Send again</Button>}
      <Button look="bare" onClick={onDismiss}>
        <Icon name="close" />
        <Hidden>Dismiss {upload.file.name}</Hidden>
      </Button>
    </>
  )
}

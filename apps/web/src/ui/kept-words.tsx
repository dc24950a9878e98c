import { Button } from './button.tsx'
import { CopyText } from './copy.tsx'
import styles from './kept-words.module.css'

interface KeptWordsProps {
  /** What was typed and not sent. */
  text: string
  onDiscard: () => void
}

/** Where a field was, that takes nothing any more: what was typed into it stays, to copy. */
export function KeptWords({ text, onDiscard }: KeptWordsProps) {
  if (text.trim() === '') return null
  return (
    <div className={styles['kept']}>
      <p className={styles['quiet']}>You had written:</p>
      <CopyText text={text} what="what you had written" />
      <div>
        <Button onClick={onDiscard}>Discard it</Button>
      </div>
    </div>
  )
}

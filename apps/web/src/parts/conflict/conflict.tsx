import { Suspense, lazy, useEffect } from 'react'
import { announceRefusal } from '../../ui/announce.ts'
import { Button } from '../../ui/button.tsx'
import { loadPart } from '../../ui/load-part.ts'
import { Text } from '../../ui/text.tsx'
import { toClipboard } from '../../ui/to-clipboard.ts'
import styles from './conflict.module.css'
import type { Current } from './edited.ts'

const WordDiff = lazy(async () => {
  const { WordDiff: Part } = await loadPart(() => import('./word-diff-parts.tsx'))
  return { default: Part }
})

interface ConflictProps {
  theirs: Current
  mine: string
  onKeep: () => void
  onTake: () => void
  /** What of a form it is, where that has several parts. */
  what?: string
}

/** Two people wrote at the same time: both texts, and whose it is to be. Nothing is merged by guess. */
export function Conflict({ theirs, mine, onKeep, onTake, what }: ConflictProps) {
  const label = 'Changed by somebody else'
  useEffect(
    () =>
      announceRefusal('Somebody else has changed this text meanwhile. Choose whose it is to be.'),
    [],
  )
  return (
    <section
      className={styles['conflict']}
      aria-label={what === undefined ? label : `${label}: ${what}`}
    >
      <p>
        <strong>Somebody else has changed this meanwhile</strong> (it is at revision{' '}
        {theirs.revision} now). Theirs is struck through where yours says something else.
      </p>
      <div className={styles['compared']}>
        <Suspense fallback={<Text>{theirs.text}</Text>}>
          <WordDiff theirs={theirs.text} mine={mine} />
        </Suspense>
      </div>
      <div className={styles['actions']}>
        <Button look="first" onClick={onKeep}>
          Keep mine
        </Button>
        <Button onClick={onTake}>Take theirs</Button>
        <Button look="bare" onClick={() => void toClipboard(mine)}>
          Copy mine
        </Button>
      </div>
    </section>
  )
}

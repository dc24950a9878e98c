import type { Wording } from '../words/states.ts'
import styles from './badge.module.css'
import { Text } from './text.tsx'

/** A state as a sign and a word; what it means for who points at it. */
export function Badge({ of }: { of: Wording }) {
  return (
    <span className={`${styles['badge']} ${styles[of.tone] ?? ''}`} title={of.sentence}>
      <span className={styles['sign']} aria-hidden="true">
        {of.sign}
      </span>
      <Text>{of.word}</Text>
    </span>
  )
}

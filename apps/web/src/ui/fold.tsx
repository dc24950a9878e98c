import { type ReactNode, useState } from 'react'
import styles from './fold.module.css'

interface FoldProps {
  summary: ReactNode
  children: ReactNode
  isOpen?: boolean
}

/** What is shown when somebody wants it: what is in it is drawn, and so read, when it is opened first. */
export function Fold({ summary, children, isOpen = false }: FoldProps) {
  const [wasOpened, open] = useState(isOpen)
  return (
    <details
      className={styles['fold']}
      open={isOpen || undefined}
      onToggle={(event) => event.currentTarget.open && open(true)}
    >
      <summary>{summary}</summary>
      {wasOpened && <div className={styles['inside']}>{children}</div>}
    </details>
  )
}

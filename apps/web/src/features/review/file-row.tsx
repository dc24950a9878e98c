import { Hidden } from '../../ui/hidden.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Text } from '../../ui/text.tsx'
import { fileWords } from '../../words/states.ts'
import type { FileGroup, ReviewedFile } from './changed.ts'
import styles from './files.module.css'
import part from './review.module.css'

interface RowProps {
  file: ReviewedFile
  isOpen: boolean
  isViewed: boolean
  notes: number
  /** The Tab key comes to it; arrows go to the others. */
  isStop: boolean
  onOpen: () => void
}

export function FileRow({ file, isOpen, isViewed, notes, isStop, onOpen }: RowProps) {
  const { path, status, additions, deletions } = file
  const words = status && fileWords[status]
  const at = path.lastIndexOf('/') + 1
  return (
    <button
      type="button"
      className={styles['file']}
      aria-current={isOpen || undefined}
      tabIndex={isStop ? 0 : -1}
      onClick={onOpen}
    >
      <span className={styles['letter']} data-status={status} aria-hidden="true">
        {words?.sign}
      </span>
      <span className={styles['path']}>
        <span className={isViewed ? styles['seen'] : styles['fileName']}>
          <Text>{path.slice(at)}</Text>
        </span>
        {at > 0 && (
          <span className={styles['folder']}>
            <Text>{path.slice(0, at)}</Text>
          </span>
        )}
        {words && <Hidden>, {words.word}</Hidden>}
      </span>
      <span className={styles['marks']}>
        <Size additions={additions} deletions={deletions} />
        {notes > 0 && (
          <span className={styles['notes']}>
            <span aria-hidden="true">✎</span> {notes}
            <Hidden>{notes === 1 ? ' note' : ' notes'}</Hidden>
          </span>
        )}
        {isViewed && (
          <>
            <Icon name="check" />
            <Hidden>viewed</Hidden>
          </>
        )}
      </span>
    </button>
  )
}

interface GroupRowProps {
  group: FileGroup
  isClosed: boolean
  isStop: boolean
  onToggle: () => void
}

export function GroupRow({ group, isClosed, isStop, onToggle }: GroupRowProps) {
  const { label, count } = group
  return (
    <button
      type="button"
      className={styles['group']}
      aria-expanded={!isClosed}
      tabIndex={isStop ? 0 : -1}
      onClick={onToggle}
    >
      <Icon name={isClosed ? 'fold' : 'chevron'} />
      <span>
        {label === undefined ? 'No reason given' : <Text>{label || 'Without a name'}</Text>}{' '}
        <span className={part['count']}>{count}</span>
      </span>
    </button>
  )
}

/** How many lines were added and taken away. */
export function Size({ additions, deletions }: Pick<ReviewedFile, 'additions' | 'deletions'>) {
  if (additions === null && deletions === null) return null
  return (
    <span className={styles['size']}>
      {(additions ?? 0) > 0 && <span className={styles['plus']}>+{additions}</span>}{' '}
      {(deletions ?? 0) > 0 && <span className={styles['minus']}>−{deletions}</span>}
    </span>
  )
}

import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Hidden } from '../../ui/hidden.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Text } from '../../ui/text.tsx'
import { fileWords } from '../../words/states.ts'
import styles from './files.module.css'
import type { Note } from './notes.ts'
import part from './review.module.css'
import type { FileGroup, ReviewedFile } from './story.ts'

/** Of a group so many are shown at once. */
const shownAtOnce = 100

interface FileListProps {
  groups: readonly FileGroup[]
  openPath: string | undefined
  viewed: ReadonlySet<string>
  notes: readonly Note[]
  onOpen: (path: string) => void
}

export function FileList({ groups, ...rest }: FileListProps) {
  return groups.map((group) => (
    <Group key={group.label ?? ''} group={group} isAlone={groups.length === 1} {...rest} />
  ))
}

interface GroupProps extends Omit<FileListProps, 'groups'> {
  group: FileGroup
  isAlone: boolean
}

function Group({ group, isAlone, openPath, viewed, notes, onOpen }: GroupProps) {
  const [isWhole, setWhole] = useState(false)
  const { label, files } = group
  const shown = isWhole ? files : files.slice(0, shownAtOnce)
  const rows = (
    <ul>
      {shown.map((file) => (
        <li key={file.path}>
          <Row
            file={file}
            isOpen={file.path === openPath}
            isViewed={viewed.has(file.path)}
            notes={notes.filter(({ path }) => path === file.path).length}
            onOpen={() => onOpen(file.path)}
          />
        </li>
      ))}
      {shown.length < files.length && (
        <li>
          <Button onClick={() => setWhole(true)}>{files.length - shown.length} more files</Button>
        </li>
      )}
    </ul>
  )
  if (isAlone && label === undefined) return rows
  return (
    <details className={styles['group']} open>
      <summary>
        {label === undefined ? 'No reason given' : <Text>{label}</Text>}{' '}
        <span className={part['count']}>{files.length}</span>
      </summary>
      {rows}
    </details>
  )
}

interface RowProps {
  file: ReviewedFile
  isOpen: boolean
  isViewed: boolean
  notes: number
  onOpen: () => void
}

function Row({ file, isOpen, isViewed, notes, onOpen }: RowProps) {
  const { path, status, additions, deletions } = file
  const { sign, word } = fileWords[status]
  const at = path.lastIndexOf('/') + 1
  return (
    <button
      type="button"
      className={styles['file']}
      aria-current={isOpen || undefined}
      onClick={onOpen}
    >
      <span className={styles['letter']} data-status={status} aria-hidden="true">
        {sign}
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
        <Hidden>, {word}</Hidden>
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

import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { useKeys } from '../../shell/use-keys.ts'
import { Button } from '../../ui/button.tsx'
import { CopyCommand } from '../../ui/copy.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Text } from '../../ui/text.tsx'
import { fileWords } from '../../words/states.ts'
import { DiffRows } from './diff-rows.tsx'
import { Size } from './file-list.tsx'
import styles from './files.module.css'
import { lineKeys } from './keys.ts'
import { lineId, nextLine, placeOf } from './lines.ts'
import { NoteBox } from './note-box.tsx'
import { type NotePlace, isAt } from './notes.ts'
import { rowsOf } from './patch.ts'
import part from './review.module.css'
import type { ReviewedFile } from './story.ts'
import type { Notes } from './use-notes.ts'

interface FileViewProps {
  file: ReviewedFile
  notes: Notes
  /** What shows the lines where they are not here. */
  command: string
  isViewed: boolean
  /** Somebody has gone to this file, rather than to the page. */
  isMoved: RefObject<boolean>
  onView: () => void
  onList: () => void
  onNext: (() => void) | undefined
}

/** One file: why it changed, and its lines. */
export function FileView(props: FileViewProps) {
  const { file, notes, isViewed, isMoved, onView, onList, onNext } = props
  const { path, patch, rationale, status } = file
  const rows = useMemo(() => (patch ? rowsOf(patch) : []), [patch])
  const [current, setCurrent] = useState<number>()
  const [editing, setEditing] = useState<NotePlace>()
  const view = useRef<HTMLElement>(null)
  useEffect(() => {
    if (isMoved.current) view.current?.scrollIntoView({ block: 'start' })
  }, [isMoved])
  const walk = (by: 1 | -1) => {
    const to = nextLine(rows, current, by)
    if (to === undefined) return
    setCurrent(to)
    document.getElementById(lineId(to))?.focus()
  }
  useKeys(
    lineKeys({
      down: () => walk(1),
      up: () => walk(-1),
      view: onView,
      note: () => setEditing(placeOf(path, rows[current ?? -1]) ?? { path }),
    }),
  )
  const ofFile = notes.all.find((note) => isAt(note, { path }))
  const isEditingFile = editing !== undefined && isAt(editing, { path })
  const close = () => {
    setEditing(undefined)
    if (current !== undefined) document.getElementById(lineId(current))?.focus()
  }
  return (
    <section className={styles['view']} ref={view} aria-label={`File ${path}`}>
      <div className={styles['back']}>
        <Button look="bare" onClick={onList}>
          <span aria-hidden="true">‹</span> All files
        </Button>
      </div>
      <header className={styles['viewHead']}>
        <h4>
          <Text>{path}</Text>
        </h4>
        <span className={part['quiet']}>{fileWords[status].word}</span>
        <Size additions={file.additions} deletions={file.deletions} />
        <span className={styles['viewActions']}>
          <Button onClick={() => setEditing({ path })}>Note</Button>
          <Button aria-pressed={isViewed} onClick={onView}>
            {isViewed && <Icon name="check" />} Viewed
          </Button>
        </span>
      </header>
      {patch?.oldPath !== undefined && (
        <p className={styles['fact']}>
          Moved from <Text>{patch.oldPath}</Text>.
        </p>
      )}
      {patch?.mode !== undefined && <p className={styles['fact']}>Its mode: {patch.mode}.</p>}
      <Why rationale={rationale} />
      {(isEditingFile || ofFile) && (
        <NoteBox
          place={{ path }}
          text={ofFile?.text ?? ''}
          isEditing={isEditingFile}
          onEdit={() => setEditing({ path })}
          onText={(text) => notes.set({ path }, text)}
          onClose={close}
        />
      )}
      {rows.length > 0 ? (
        <DiffRows
          {...{ path, rows, notes, current, editing }}
          onNote={(index, place) => {
            setCurrent(index)
            setEditing(place)
          }}
          onClose={close}
        />
      ) : (
        <NoLines file={file} command={props.command} />
      )}
      <div className={styles['on']}>
        <Button onClick={onList}>All files</Button>
        {onNext && <Button onClick={onNext}>Next file</Button>}
      </div>
    </section>
  )
}

function Why({ rationale }: Pick<ReviewedFile, 'rationale'>) {
  if (rationale === null) return null
  const { summary, why, impact } = rationale
  const rows = [
    ['What', summary],
    ['Why', why],
    ['Impact', impact],
  ].filter(([, text]) => text !== '')
  return (
    <dl className={styles['why']}>
      {rows.map(([name, text = '']) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <Text>{text}</Text>
          </dd>
        </div>
      ))}
    </dl>
  )
}

function NoLines({ file, command }: { file: ReviewedFile; command: string }) {
  const { patch } = file
  if (patch === undefined) {
    return (
      <div className={styles['fact']}>
        <p>Its lines are not kept here. On a machine that has the branch, this shows them:</p>
        <CopyCommand command={command} />
      </div>
    )
  }
  const fact = patch.isBinary
    ? 'It is no text, so it has no lines to show.'
    : patch.change === 'added' || patch.change === 'deleted'
      ? 'It is empty.'
      : 'None of its lines has changed.'
  return <p className={styles['fact']}>{fact}</p>
}

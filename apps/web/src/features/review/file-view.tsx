import type { RunChanges } from '@svc/contracts/run-files'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { Problem } from '../../shell/problem.tsx'
import { useKeys } from '../../shell/use-keys.ts'
import { Button } from '../../ui/button.tsx'
import { CopyCommand } from '../../ui/copy.tsx'
import { Icon } from '../../ui/icon.tsx'
import { isFocusHidden } from '../../ui/lost-focus.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Text } from '../../ui/text.tsx'
import { fileWords } from '../../words/states.ts'
import type { ReviewedFile } from './changed.ts'
import { DiffRows } from './diff-rows.tsx'
import { Size } from './file-row.tsx'
import styles from './files.module.css'
import { lineKeys } from './keys.ts'
import { lineId, nextLine, placeOf } from './lines.ts'
import { commandFor, whyNoLines } from './missing.ts'
import { NoteBox } from './note-box.tsx'
import { type NotePlace, isAt } from './notes.ts'
import part from './review.module.css'
import type { Notes } from './use-notes.ts'
import { usePatch } from './use-patch.ts'

interface FileViewProps {
  file: ReviewedFile
  run: string | null
  report: RunChanges | undefined
  /** The run has reported again: what is known of its files is of before. */
  onStale: () => void
  notes: Notes
  mission: string
  isViewed: boolean
  /** Somebody has gone to this file, rather than to the page. */
  isMoved: RefObject<boolean>
  onView: () => void
  onList: () => void
  onNext: (() => void) | undefined
}

/** One file: why it changed, and its lines. */
export function FileView(props: FileViewProps) {
  const { file, report, notes, isViewed, isMoved, onView, onList, onNext } = props
  const { path } = file
  const patch = usePatch(props)
  const { rows, parts, isCut } = patch
  const [first] = parts
  const status = file.status ?? first?.change
  const [current, setCurrent] = useState<number>()
  const [editing, setEditing] = useState<NotePlace>()
  const view = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!isMoved.current) return
    view.current?.scrollIntoView({ block: 'start' })
    if (isFocusHidden()) view.current?.focus({ preventScroll: true })
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
      ...(notes.mayWrite && {
        note: () => setEditing(placeOf(path, rows[current ?? -1]) ?? { path }),
      }),
    }),
  )
  const ofFile = notes.all.find((note) => isAt(note, { path }))
  const isEditingFile = editing !== undefined && isAt(editing, { path })
  const close = () => {
    setEditing(undefined)
    if (current !== undefined) document.getElementById(lineId(current))?.focus()
  }
  const command = commandFor(file, report, props.mission)
  return (
    <section className={styles['view']} ref={view} tabIndex={-1} aria-label={`File ${path}`}>
      <div className={styles['back']}>
        <Button look="bare" onClick={onList}>
          <span aria-hidden="true">‹</span> All files
        </Button>
      </div>
      <header className={styles['viewHead']}>
        <h4>
          <Text>{path}</Text>
        </h4>
        {status && <span className={part['quiet']}>{fileWords[status].word}</span>}
        <Size additions={file.additions} deletions={file.deletions} />
        <span className={styles['viewActions']}>
          {notes.mayWrite && <Button onClick={() => setEditing({ path })}>Note</Button>}
          <Button aria-pressed={isViewed} onClick={onView}>
            {isViewed && <Icon name="check" />} Viewed
          </Button>
        </span>
      </header>
      {first?.oldPath !== undefined && (
        <p className={styles['fact']}>
          Moved from <Text>{first.oldPath}</Text>.
        </p>
      )}
      {first?.mode !== undefined && <p className={styles['fact']}>Its mode: {first.mode}.</p>}
      <Why rationale={patch.rationale} />
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
      {patch.error && <Problem error={patch.error} />}
      {patch.isLoading && <Skeleton rows={6} />}
      {rows.length > 0 && (
        <DiffRows
          {...{ path, rows, notes, current, editing }}
          onNote={(index, place) => {
            setCurrent(index)
            if (notes.mayWrite) setEditing(place)
          }}
          onClose={close}
        />
      )}
      {isCut && (
        <Elsewhere
          sentence="Its lines are cut here: they are too many to be kept."
          command={command}
        />
      )}
      {rows.length === 0 && !patch.isLoading && !patch.error && (
        <NoLines of={whyNoLines(patch.file, parts)} command={command} />
      )}
      <div className={styles['on']}>
        <Button onClick={onList}>All files</Button>
        {onNext && <Button onClick={onNext}>Next file</Button>}
      </div>
    </section>
  )
}

function NoLines({ of, command }: { of: ReturnType<typeof whyNoLines>; command: string }) {
  if (of.isElsewhere) return <Elsewhere sentence={of.sentence} command={command} />
  return <p className={styles['fact']}>{of.sentence}</p>
}

function Elsewhere({ sentence, command }: { sentence: string; command: string }) {
  return (
    <div className={styles['fact']}>
      <p>{sentence} On a machine that has the branch, this shows them:</p>
      <CopyCommand command={command} />
    </div>
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

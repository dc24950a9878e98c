import type { ListedObjective, Objective } from '@svc/contracts/objective'
import { type KeyboardEvent, useEffect, useReducer, useRef, useState } from 'react'
import { useRead } from '../../data/reads.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { Conflict } from '../../parts/conflict/conflict.tsx'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { announce } from '../../ui/announce.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { KeptWords } from '../../ui/kept-words.tsx'
import { takeLostFocus } from '../../ui/lost-focus.ts'
import { Markdown } from '../../ui/markdown.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Ago } from '../../ui/time.tsx'
import styles from './instruction.module.css'
import { objective as wholeObjective } from './reads.ts'
import { instructionDraft, useInstruction } from './use-instruction.ts'
import { UploadRows } from './upload-rows.tsx'
import { useUpload } from './use-upload.ts'

interface InstructionProps {
  objective: ListedObjective
  mayEdit: boolean
}

/** What the agent is to do: Markdown to read, and text to write. */
export function Instruction({ objective, mayEdit }: InstructionProps) {
  const isCut = objective.instructionBytes !== undefined
  const whole = useRead(wholeObjective, { id: objective.id }, { enabled: isCut })
  const shown = isCut ? whole.data?.objective : objective
  if (shown === undefined) return <Skeleton rows={1} />
  return <Whole objective={shown} mayEdit={mayEdit} />
}

function Whole({ objective, mayEdit }: InstructionProps) {
  const { drafts } = useWorkspace()
  const [isEditing, edit] = useState(
    () => objective.instruction === '' || drafts.read(instructionDraft(objective.id)) !== undefined,
  )
  const button = useRef<HTMLButtonElement>(null)
  if (mayEdit && isEditing) {
    return (
      <Editor
        objective={objective}
        onClose={() => {
          edit(false)
          takeLostFocus(() => button.current)
        }}
      />
    )
  }
  return (
    <>
      <div className={styles['read']}>
        <Markdown>{belowTitle(objective)}</Markdown>
        {mayEdit && (
          <Button ref={button} look="bare" data-action="edit" onClick={() => edit(true)}>
            <Icon name="edit" /> Edit
          </Button>
        )}
      </div>
      {!mayEdit && <Unsaved of={objective} />}
    </>
  )
}

/** It was launched, also by itself, while somebody wrote: what of that was not saved is not lost, and not without a word. */
function Unsaved({ of: { id, instruction } }: { of: Objective }) {
  const { drafts } = useWorkspace()
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const draft = instructionDraft(id)
  // what was typed here, also where another tab has written since
  const text = drafts.textHere(draft) || (drafts.begin(draft)?.text ?? '')
  const isUnsaved = text.trim() !== '' && text !== instruction
  useEffect(() => {
    if (isUnsaved)
      announce('What you had written of this instruction is not saved. It stands below.')
  }, [isUnsaved])
  if (!isUnsaved) return null
  return (
    <KeptWords
      text={text}
      onDiscard={() => {
        drafts.drop(draft)
        redraw()
      }}
    />
  )
}

/** The title that was made of the first line stands above already. */
function belowTitle({ title, instruction }: Objective): string {
  const [first = '', ...rest] = instruction.trimStart().split('\n')
  const below = rest.join('\n').trim()
  return first.replace(/^#+ */, '').trim() === title && below !== '' ? below : instruction
}

function Editor({ objective, onClose }: { objective: Objective; onClose: () => void }) {
  const { text, write, save, state, theirs, keepMine, takeTheirs, update } =
    useInstruction(objective)
  const upload = useUpload(objective.id)
  const hear = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      void save().then((isSaved) => isSaved && onClose())
    }
    if (event.key === 'Escape' && state.name === 'saved') onClose()
  }
  return (
    <div className={styles['edit']}>
      <div className={styles['head']}>
        <label htmlFor={`instruction-${objective.id}`}>Instruction</label>
        <span className={styles['state']} role="status">
          {state.name === 'unsaved' && 'not saved yet'}
          {state.name === 'saving' && 'saving …'}
          {state.name === 'saved' && state.at !== undefined && (
            <>
              saved <Ago at={state.at} />
            </>
          )}
        </span>
      </div>
      <textarea
        id={`instruction-${objective.id}`}
        data-action="edit"
        autoFocus={objective.instruction !== ''}
        className={styles['field']}
        value={text}
        rows={Math.min(24, Math.max(4, text.split('\n').length + 1))}
        placeholder="What is to be done? Markdown; the first line becomes the title."
        onChange={(event) => write(event.target.value)}
        onBlur={() => theirs === undefined && void save()}
        onKeyDown={hear}
        onPaste={(event) => {
          if (event.clipboardData.files.length === 0) return
          event.preventDefault()
          upload.add(event.clipboardData.files)
        }}
      />
      {upload.all.length > 0 && (
        <ul aria-label="Files that are being attached">
          <UploadRows of={upload} />
        </ul>
      )}
      {theirs !== undefined && (
        <Conflict theirs={theirs} mine={text} onKeep={keepMine} onTake={takeTheirs} />
      )}
      {theirs === undefined && <ActionProblem of={update} />}
      <div className={styles['actions']}>
        <Button look="second" onClick={() => void save().then((isSaved) => isSaved && onClose())}>
          Done
        </Button>
        <span className={styles['hint']}>Saved when you leave the field, or by Ctrl+Enter.</span>
      </div>
    </div>
  )
}

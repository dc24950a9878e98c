import type { Project, ProjectStatus } from '@svc/contracts/project'
import type { FormEvent } from 'react'
import { useAction } from '../../data/actions.ts'
import { limits } from '../../data/contracts.values.ts'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { visible } from '../../words/visible.ts'
import { Conflict } from '../conflict/conflict.tsx'
import { useEdited, useRereadOnMismatch } from '../conflict/use-edited.ts'
import styles from './statuses.module.css'
import { useKeepStatuses } from './use-keep-statuses.ts'

export const renameDraft = (statusId: string) => `column-name:${statusId}`

interface RenameProps {
  status: ProjectStatus
  project: Project
  /** Somebody has just asked for it, and it takes the focus. */
  isAsked: boolean
  onEnd: () => void
}

export function RenameStatus({ status, project, isAsked, onEnd }: RenameProps) {
  const draft = renameDraft(status.id)
  // statuses have no revision of their own
  const edited = useEdited(draft, { revision: project.revision, text: status.label })
  const keep = useKeepStatuses()
  const rename = useAction('renameProjectStatus', {
    draft,
    onDone: (answer) => {
      keep({ project: answer.project })
      onEnd()
    },
  })
  const leave = () => {
    edited.leave()
    onEnd()
  }
  const send = (expectedRevision: number) => {
    const label = edited.text.trim()
    if (label === status.label) return leave()
    void rename.send({ id: project.id, statusId: status.id, label, expectedRevision })
  }
  useRereadOnMismatch(rename)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (edited.theirs === undefined) send(edited.expectedRevision)
  }
  return (
    <form className={styles['form']} onSubmit={submit}>
      <Field
        label={`Name of ${visible(status.label)}`}
        required
        autoFocus={isAsked}
        maxLength={limits.titleCharacters}
        value={edited.text}
        onChange={(event) => edited.write(event.target.value)}
      />
      {edited.theirs ? (
        <Conflict
          theirs={edited.theirs}
          mine={edited.text}
          onKeep={() => send(edited.keepMine())}
          onTake={leave}
        />
      ) : (
        <ActionProblem of={rename} />
      )}
      <div className={styles['actions']}>
        <Button onClick={leave}>Cancel</Button>
        <Button
          type="submit"
          look="first"
          disabled={rename.state.name === 'sending' || edited.theirs !== undefined}
        >
          Rename
        </Button>
      </div>
    </form>
  )
}

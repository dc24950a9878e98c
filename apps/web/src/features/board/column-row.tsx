import type { ProjectStatus } from '@svc/contracts/project'
import { type FormEvent, useState } from 'react'
import { useAction } from '../../data/actions.ts'
import { limits } from '../../data/contracts.values.ts'
import { useDraft } from '../../data/use-draft.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Hidden } from '../../ui/hidden.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Select } from '../../ui/select.tsx'
import { Text } from '../../ui/text.tsx'
import { toast } from '../../ui/toast-store.ts'
import { phaseWords } from '../../words/states.ts'
import { visible } from '../../words/visible.ts'
import styles from './dialogs.module.css'
import type { Statuses } from './reads.ts'
import { useKeepProject } from './use-keep-project.ts'

interface RowProps {
  status: ProjectStatus
  known: Statuses
  onUp: (() => void) | undefined
  onDown: (() => void) | undefined
}

/** A column, and in its place what is asked for before it is renamed or deleted. */
export function ColumnRow({ status, known, onUp, onDown }: RowProps) {
  const [doing, begin] = useState<'rename' | 'delete'>()
  const end = () => begin(undefined)
  const { label, type } = status
  return (
    <li>
      <div className={styles['row']}>
        <span className={styles['what']}>
          <Badge of={{ ...phaseWords[type], word: label }} />
        </span>
        <Button look="bare" disabled={!onUp} onClick={onUp}>
          <Icon name="up" />
          <Hidden>
            Move up: <Text>{label}</Text>
          </Hidden>
        </Button>
        <Button look="bare" disabled={!onDown} onClick={onDown}>
          <Icon name="down" />
          <Hidden>
            Move down: <Text>{label}</Text>
          </Hidden>
        </Button>
        <Button look="bare" onClick={() => begin('rename')}>
          <Icon name="edit" />
          <Hidden>
            Rename <Text>{label}</Text>
          </Hidden>
        </Button>
        {known.statuses.length > 1 && (
          <Button look="bare" onClick={() => begin('delete')}>
            <Icon name="close" />
            <Hidden>
              Delete <Text>{label}</Text>
            </Hidden>
          </Button>
        )}
      </div>
      {doing === 'rename' && <Rename status={status} known={known} onEnd={end} />}
      {doing === 'delete' && <Delete status={status} known={known} onEnd={end} />}
    </li>
  )
}

interface DoingProps {
  status: ProjectStatus
  known: Statuses
  onEnd: () => void
}

function Rename({ status, known: { project }, onEnd }: DoingProps) {
  const { drafts } = useWorkspace()
  const draft = `column-name:${status.id}`
  const [label, setLabel] = useDraft(draft, status.label)
  // what somebody else changes while this is open is looked at before it is overwritten
  const [expectedRevision] = useState(project.revision)
  const keep = useKeepProject()
  const rename = useAction('renameProjectStatus', {
    draft,
    onDone: (answer) => {
      keep(answer.project)
      onEnd()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const { id } = project
    void rename.send({ id, statusId: status.id, label: label.trim(), expectedRevision })
  }
  return (
    <form className={styles['form']} onSubmit={submit}>
      <Field
        label={`Name of ${visible(status.label)}`}
        required
        autoFocus
        maxLength={limits.titleCharacters}
        value={label}
        onChange={(event) => setLabel(event.target.value)}
      />
      <ActionProblem of={rename} />
      <div className={styles['actions']}>
        <Button
          onClick={() => {
            drafts.drop(draft)
            onEnd()
          }}
        >
          Cancel
        </Button>
        <Button type="submit" look="first" disabled={rename.state.name === 'sending'}>
          Rename
        </Button>
      </div>
    </form>
  )
}

function Delete({ status, known: { project, statuses }, onEnd }: DoingProps) {
  const others = statuses.filter(({ id }) => id !== status.id)
  const [chosen, choose] = useState(others[0]?.id)
  const [expectedRevision] = useState(project.revision)
  const target = others.find(({ id }) => id === chosen) ?? others[0]
  const keep = useKeepProject()
  const remove = useAction('deleteProjectStatus', {
    onDone: ({ moved, project: changed }) => {
      keep(changed)
      const missions = moved === 1 ? '1 mission is' : `${moved} missions are`
      toast(`${status.label} is gone; ${missions} in ${target?.label} now`)
      onEnd()
    },
  })
  if (target === undefined) return null
  const { id } = project
  return (
    <div className={styles['form']}>
      <Select
        label={`Missions of ${visible(status.label)} go to`}
        autoFocus
        value={target.id}
        choices={others.map((one) => ({ value: one.id, text: visible(one.label) }))}
        onChoose={choose}
      />
      <ActionProblem of={remove} />
      <div className={styles['actions']}>
        <Button onClick={onEnd}>Keep it</Button>
        <Button
          look="danger"
          disabled={remove.state.name === 'sending'}
          onClick={() =>
            void remove.send({ id, statusId: status.id, moveTo: target.id, expectedRevision })
          }
        >
          Delete the column
        </Button>
      </div>
    </div>
  )
}

import { type FormEvent, useState } from 'react'
import { useAction } from '../../data/actions.ts'
import { limits, statusTypes } from '../../data/contracts.values.ts'
import { useRead } from '../../data/reads.ts'
import { useDraft } from '../../data/use-draft.ts'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { Shown } from '../../shell/shown.tsx'
import { announce } from '../../ui/announce.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { toast } from '../../ui/toast-store.ts'
import { phaseWords } from '../../words/states.ts'
import { ColumnRow } from './column-row.tsx'
import styles from './dialogs.module.css'
import { type Statuses, statuses } from './reads.ts'
import { useScene } from './scene.ts'
import { useKeepProject } from './use-keep-project.ts'

/** The columns of the project: their names, their order, and which there are. */
export function Columns({ onClose }: { onClose: () => void }) {
  const { project } = useScene().board
  const read = useRead(statuses, { id: project.id })
  return (
    <Dialog title="Columns" onClose={onClose} isSheet>
      <Shown of={read}>{(known) => <ColumnList known={known} />}</Shown>
      <NewColumn />
    </Dialog>
  )
}

function ColumnList({ known }: { known: Statuses }) {
  const { project, statuses: all } = known
  const keep = useKeepProject()
  const order = useAction('orderProjectStatuses', {
    onDone: (answer) => keep(answer.project),
  })
  const step = (at: number, by: 1 | -1) => {
    const ids = all.map(({ id }) => id)
    const [id = ''] = ids.splice(at, 1)
    announce(`Place ${at + by + 1} of ${all.length}`)
    void order.send({
      id: project.id,
      statusIds: ids.toSpliced(at + by, 0, id),
      expectedRevision: project.revision,
    })
  }
  return (
    <>
      <ol className={styles['rows']}>
        {all.map((status, at) => (
          <ColumnRow
            key={status.id}
            status={status}
            known={known}
            onUp={at === 0 ? undefined : () => step(at, -1)}
            onDown={at === all.length - 1 ? undefined : () => step(at, 1)}
          />
        ))}
      </ol>
      <ActionProblem of={order} />
    </>
  )
}

function NewColumn() {
  const { project } = useScene().board
  const draft = `column:${project.id}`
  const [label, setLabel] = useDraft(draft, '')
  const keep = useKeepProject()
  const [type, setType] = useState<(typeof statusTypes)[number]>('execute')
  const create = useAction('createProjectStatus', {
    draft,
    onDone: ({ status, project: changed }) => {
      keep(changed)
      setLabel('')
      toast(`${status.label} is the last column`)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void create.send({ id: project.id, label: label.trim(), type })
  }
  return (
    <form className={styles['form']} onSubmit={submit}>
      <Field
        label="New column"
        required
        maxLength={limits.titleCharacters}
        value={label}
        onChange={(event) => setLabel(event.target.value)}
      />
      <Select
        label="What it means for a mission"
        value={type}
        choices={statusTypes.map((value) => ({ value, text: phaseWords[value].word }))}
        hint={phaseWords[type].sentence}
        onChoose={(chosen) => setType(statusTypes.find((one) => one === chosen) ?? type)}
      />
      <ActionProblem of={create} />
      <Button type="submit" disabled={create.state.name === 'sending'}>
        Add the column
      </Button>
    </form>
  )
}

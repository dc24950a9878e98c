import { type FormEvent, useState } from 'react'
import { useAction } from '../../data/actions.ts'
import { limits, statusTypes } from '../../data/contracts.values.ts'
import { useDraft } from '../../data/use-draft.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { toast } from '../../ui/toast-store.ts'
import { phaseWords } from '../../words/states.ts'
import styles from './statuses.module.css'
import { useKeepStatuses } from './use-keep-statuses.ts'

export function NewStatus({ projectId }: { projectId: string }) {
  const { drafts } = useWorkspace()
  const draft = `column:${projectId}`
  const [label, setLabel] = useDraft(draft, '')
  const keep = useKeepStatuses()
  const [type, setType] = useState<(typeof statusTypes)[number]>('execute')
  const create = useAction('createProjectStatus', {
    draft,
    onDone: ({ status, project }) => {
      keep({ project })
      // what was written since it was sent is the next one
      setLabel(drafts.textHere(draft) ?? '')
      toast(`${status.label} is the last column`)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void create.send({ id: projectId, label: label.trim(), type })
  }
  return (
    <form className={styles['form']} onSubmit={submit}>
      <Field
        label="New column"
        required
        data-action="new-column"
        maxLength={limits.titleCharacters}
        value={label}
        onChange={(event) => setLabel(event.target.value)}
      />
      <Select
        label="What it means for a mission"
        value={type}
        choices={statusTypes.map((value) => ({ value, text: phaseWords[value].word }))}
        hint={`${phaseWords[type].sentence} This stays as long as the column.`}
        onChoose={(chosen) => setType(statusTypes.find((one) => one === chosen) ?? type)}
      />
      <ActionProblem of={create} />
      <Button type="submit" disabled={create.state.name === 'sending'}>
        Add the column
      </Button>
    </form>
  )
}

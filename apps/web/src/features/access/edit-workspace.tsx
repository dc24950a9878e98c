import type { Workspace } from '@svc/contracts/workspace'
import { useState } from 'react'
import { useAction } from '../../data/actions.ts'
import { mostTokenDays } from '../../data/access.values.ts'
import { limits } from '../../data/contracts.values.ts'
import { EditedForm } from '../../parts/conflict/edited-form.tsx'
import { useEdited } from '../../parts/conflict/use-edited.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { toast } from '../../ui/toast-store.ts'
import { type SettingsForm, problemOfDays, readSettings, writeSettings } from './forms.ts'

const draft = 'workspace-settings'

interface EditWorkspaceProps {
  workspace: Workspace
  onClose: () => void
}

/** What another admin changes meanwhile is shown next to what is written here. */
export function EditWorkspace({ workspace, onClose }: EditWorkspaceProps) {
  const { name, maxTokenDays, revision } = workspace
  const current = { name, days: String(maxTokenDays) }
  const edited = useEdited(draft, { revision, text: writeSettings(current) })
  const form = readSettings(edited.text)
  const [problem, setProblem] = useState<string>()
  const update = useAction('updateWorkspace', {
    draft,
    onDone: () => {
      toast('Saved')
      onClose()
    },
  })
  const leave = () => {
    edited.leave()
    onClose()
  }
  const write = (next: Partial<SettingsForm>) => edited.write(writeSettings({ ...form, ...next }))
  const send = (expectedRevision: number) => {
    const wrong = problemOfDays(form.days, mostTokenDays)
    setProblem(wrong)
    if (wrong !== undefined) return
    const [newName, days] = [form.name.trim(), Number(form.days)]
    if (newName === name && days === maxTokenDays) return leave()
    void update.send({
      expectedRevision,
      ...(newName !== name && { name: newName }),
      ...(days !== maxTokenDays && { maxTokenDays: days }),
    })
  }
  return (
    <Dialog title="Edit the workspace" onClose={onClose}>
      <EditedForm
        edited={edited}
        action={update}
        revision={revision}
        send={send}
        onLeave={leave}
        describe={(text) => inLines(readSettings(text))}
      >
        <Field
          label="Name"
          required
          maxLength={limits.titleCharacters}
          value={form.name}
          onChange={(event) => write({ name: event.target.value })}
        />
        <Field
          label="How many days a token lives at most"
          required
          inputMode="numeric"
          autoComplete="off"
          value={form.days}
          problem={problem}
          hint="It holds for what is made from then on; what there is stays."
          onChange={(event) => write({ days: event.target.value })}
        />
      </EditedForm>
    </Dialog>
  )
}

/** As texts that people compare. */
function inLines({ name, days }: SettingsForm): string {
  return `Name: ${name}\nDays of a token: ${days}`
}

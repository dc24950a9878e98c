import type { RouteOutput } from '@svc/contracts/rest'
import type { FormEvent } from 'react'
import { useAction } from '../../data/actions.ts'
import { useDraft } from '../../data/use-draft.ts'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { useWebhookFields } from './fields.tsx'
import { readForm, writeForm } from './form.ts'

const draft = 'webhook'

interface CreateWebhookProps {
  onClose: () => void
  /** With the secret, which nothing else is ever given. */
  onCreated: (created: RouteOutput<'createWebhook'>) => void
}

export function CreateWebhook({ onClose, onCreated }: CreateWebhookProps) {
  const [text, setText] = useDraft(draft, '')
  const form = readForm(text)
  const { fields, toSend } = useWebhookFields(form, (next) => setText(writeForm(next)))
  const create = useAction('createWebhook', { draft, onDone: onCreated })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const whole = toSend()
    if (whole === undefined) return
    const { name, endpointUrl, eventTypes, projectId } = whole.form
    setText(writeForm({ ...whole.form, proposed: { url: endpointUrl, mode: whole.payloadMode } }))
    void create.send({
      name: name.trim(),
      endpointUrl: endpointUrl.trim(),
      eventTypes: [...eventTypes],
      projectId,
      payloadMode: whole.payloadMode,
    })
  }
  return (
    <Dialog title="New webhook" onClose={onClose} isSheet>
      <form onSubmit={submit}>
        {fields}
        <ActionProblem of={create} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="first" type="submit" disabled={create.state.name === 'sending'}>
            Create
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

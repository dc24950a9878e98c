import type { WebhookSubscription } from '@svc/contracts/webhook-subscription'
import { useAction } from '../../data/actions.ts'
import { useRead } from '../../data/reads.ts'
import { EditedForm } from '../../parts/conflict/edited-form.tsx'
import { useEdited } from '../../parts/conflict/use-edited.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast-store.ts'
import { useWebhookFields } from './fields.tsx'
import { changesOf, describeForm, formOf, readForm, writeForm } from './form.ts'
import { projects } from './reads.ts'

interface EditWebhookProps {
  webhook: WebhookSubscription
  onClose: () => void
}

/** What others change meanwhile is shown next to what is written here; what is left alone stays as they left it. */
export function EditWebhook({ webhook, onClose }: EditWebhookProps) {
  const draft = `webhook:${webhook.id}`
  const current = { revision: webhook.revision, text: writeForm(formOf(webhook)) }
  const edited = useEdited(draft, current)
  const form = readForm(edited.text)
  const { fields, toSend } = useWebhookFields(form, (next) => edited.write(writeForm(next)))
  const update = useAction('updateWebhook', {
    draft,
    onDone: () => {
      toast('Saved')
      onClose()
    },
  })
  const known = useRead(projects, {}).data?.projects ?? []
  const nameOf = (id: string) => known.find((project) => project.id === id)?.name ?? id
  const leave = () => {
    edited.leave()
    onClose()
  }
  const send = (expectedRevision: number) => {
    const whole = toSend()
    if (whole === undefined) return
    const changes = changesOf(webhook, whole.form)
    if (Object.keys(changes).length === 0) return leave()
    void update.send({ id: webhook.id, expectedRevision, ...changes })
  }
  return (
    <Dialog title="Edit the webhook" onClose={onClose} isSheet>
      <EditedForm
        edited={edited}
        action={update}
        revision={webhook.revision}
        send={send}
        onLeave={leave}
        describe={(text) => describeForm(readForm(text), nameOf)}
      >
        {fields}
      </EditedForm>
    </Dialog>
  )
}

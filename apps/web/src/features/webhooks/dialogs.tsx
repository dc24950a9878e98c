import type { WebhookSubscription } from '@svc/contracts/webhook-subscription'
import { useLocation } from 'wouter'
import { useAction } from '../../data/actions.ts'
import { Confirm } from '../../parts/confirm/confirm.tsx'
import { pathTo } from '../../shell/routes.ts'
import { Text } from '../../ui/text.tsx'
import { toast } from '../../ui/toast-store.ts'
import { EditWebhook } from './edit-webhook.tsx'

/** What is open over the page of a webhook. */
export type Opened = 'edit' | 'rotate' | 'disable' | 'delete'

interface DialogsProps {
  webhook: WebhookSubscription
  opened: Opened | undefined
  onClose: () => void
  /** With the new secret. */
  onRotated: (secret: string) => void
}

export function Dialogs({ webhook, opened, onClose, onRotated }: DialogsProps) {
  if (opened === 'edit') return <EditWebhook webhook={webhook} onClose={onClose} />
  if (opened === 'rotate') {
    return <Rotate webhook={webhook} onClose={onClose} onRotated={onRotated} />
  }
  if (opened === 'disable') return <Disable webhook={webhook} onClose={onClose} />
  if (opened === 'delete') return <Delete webhook={webhook} onClose={onClose} />
  return null
}

type OneProps = Pick<DialogsProps, 'webhook' | 'onClose'>

function Rotate({ webhook, onClose, onRotated }: OneProps & Pick<DialogsProps, 'onRotated'>) {
  const rotate = useAction('rotateWebhookSecret', { onDone: ({ secret }) => onRotated(secret) })
  return (
    <Confirm
      title="Replace the secret"
      label="Replace it"
      action={rotate}
      onConfirm={() => void rotate.send({ id: webhook.id })}
      onClose={onClose}
    >
      <p>
        Whatever is sent from then on is signed with the new one alone, also what waits to be sent
        again: its receiver takes nothing until it has it.
      </p>
    </Confirm>
  )
}

function Disable({ webhook, onClose }: OneProps) {
  const disable = useAction('disableWebhook', {
    onDone: () => {
      toast(`${webhook.name} is disabled`)
      onClose()
    },
  })
  return (
    <Confirm
      title="Disable the webhook"
      label="Disable it"
      action={disable}
      onConfirm={() => void disable.send({ id: webhook.id })}
      onClose={onClose}
    >
      <p>
        <Text>{webhook.name}</Text> is sent nothing until somebody enables it. What would be sent is
        held for 7 days.
      </p>
    </Confirm>
  )
}

function Delete({ webhook, onClose }: OneProps) {
  const [, go] = useLocation()
  const remove = useAction('deleteWebhook', {
    onDone: () => {
      toast(`${webhook.name} is deleted`)
      go(pathTo('webhooks', {}))
    },
  })
  return (
    <Confirm
      title="Delete the webhook"
      label="Delete it"
      isDanger
      action={remove}
      onConfirm={() => void remove.send({ id: webhook.id })}
      onClose={onClose}
    >
      <p>
        <Text>{webhook.name}</Text> cannot be restored. Its secret and its log go with it, and what
        waits is not sent.
      </p>
    </Confirm>
  )
}

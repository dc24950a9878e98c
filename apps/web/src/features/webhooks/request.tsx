import type { WebhookDelivery } from '@svc/contracts/webhook-subscription'
import { useWorkspace } from '../../data/use-workspace.ts'
import { CopyText } from '../../ui/copy.tsx'
import { Fold } from '../../ui/fold.tsx'
import { Text } from '../../ui/text.tsx'
import { payloadWords } from '../../words/webhooks.ts'
import { Headers } from './attempt.tsx'
import { pingType } from './form.ts'
import styles from './webhooks.module.css'

interface RequestProps {
  delivery: WebhookDelivery
  endpointUrl: string | undefined
  /** null: it is not kept. */
  body: string | null
}

/** What each try posts. */
export function Request({ delivery, endpointUrl, body }: RequestProps) {
  const { workspace } = useWorkspace().me
  const { id, type, mode } = delivery
  return (
    <section className={styles['part']} aria-labelledby="request">
      <h2 id="request">What is posted</h2>
      {endpointUrl !== undefined && (
        <p className={styles['said']}>
          POST <Text>{endpointUrl}</Text>
        </p>
      )}
      <Headers
        label="Headers of the request"
        of={{
          'X-Svc-Event': type,
          'X-Svc-Delivery': id,
          'X-Svc-Workspace': workspace.id,
          'X-Svc-Signature': 'made anew for each try, with the secret as it is then',
        }}
      />
      <Fold summary="Its body">
        <p className={styles['quiet']}>
          It is {mode}. {payloadWords[mode]}
        </p>
        {body === null ? (
          <p>{type === pingType ? 'That of a test is not kept.' : 'It is not kept any more.'}</p>
        ) : (
          <CopyText text={body} what="the body" />
        )}
      </Fold>
    </section>
  )
}

import type { WebhookSubscription } from '@svc/contracts/webhook-subscription'
import { useEffect, useRef } from 'react'
import { useSearchParams } from 'wouter'
import { useAction } from '../../data/actions.ts'
import { limits } from '../../data/contracts.values.ts'
import { useRead } from '../../data/reads.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Ago } from '../../ui/time.tsx'
import { toast } from '../../ui/toast-store.ts'
import { counted } from '../../words/counted.ts'
import { disabledWords } from '../../words/states.ts'
import { isAboutToBeDisabled } from '../../words/webhooks.ts'
import { deliveries } from './reads.ts'
import { useRereadLog } from './use-follow-log.ts'

const countedAtMost = 100

const ofDeliveries = (count: number) => counted(count, 'delivery', 'deliveries')

/** That it will be disabled, that it is, by whom and since when, and what is held; each with what ends that. */
export function Standing({ webhook }: { webhook: WebhookSubscription }) {
  return (
    <>
      {isAboutToBeDisabled(webhook) && <Failing webhook={webhook} />}
      {webhook.disabledAt !== null && <Disabled webhook={webhook} at={webhook.disabledAt} />}
      <Held webhook={webhook} />
    </>
  )
}

function Failing({ webhook: { consecutiveFailures } }: { webhook: WebhookSubscription }) {
  return (
    <Notice tone="caution">
      The last {ofDeliveries(consecutiveFailures)} in a row failed. After{' '}
      {limits.webhookFailuresUntilDisabled} it is disabled; its log says what its receiver answers.
    </Notice>
  )
}

function Disabled({ webhook, at }: { webhook: WebhookSubscription; at: string }) {
  const { rights } = useWorkspace()
  const [search] = useSearchParams()
  const button = useRef<HTMLButtonElement>(null)
  const isAsked = search.get('do') === 'enable'
  useEffect(() => {
    if (isAsked) button.current?.focus()
  }, [isAsked])
  const { name, disabledReason } = webhook
  const enable = useAction('enableWebhook', {
    onDone: ({ held }) =>
      toast(`${name} is enabled${held === 0 ? '' : `, and ${ofDeliveries(held)} held`}`),
  })
  return (
    <>
      <Notice
        tone="caution"
        actions={
          rights.mayCall('enableWebhook') && (
            <Button
              ref={button}
              look="first"
              disabled={enable.state.name === 'sending'}
              onClick={() => void enable.send({ id: webhook.id })}
            >
              Enable
            </Button>
          )
        }
      >
        It is disabled since <Ago at={at} />, and is sent nothing until somebody enables it.{' '}
        {disabledReason !== null && disabledWords[disabledReason]}
      </Notice>
      <ActionProblem of={enable} />
    </>
  )
}

function Held({ webhook: { id, disabledAt } }: { webhook: WebhookSubscription }) {
  const { rights } = useWorkspace()
  const reread = useRereadLog()
  const read = useRead(deliveries, { id, state: 'held', limit: countedAtMost })
  const recover = useAction('recoverWebhook', {
    onDone: ({ recovered, held }) => {
      const left = held === 0 ? '' : `, ${held} ${held === 1 ? 'is' : 'are'} held still`
      toast(`${ofDeliveries(recovered)} ${recovered === 1 ? 'goes' : 'go'} out${left}`)
      reread()
    },
  })
  const count = read.data?.deliveries.length ?? 0
  if (count === 0) return null
  const isOne = count === 1
  const more = read.data?.nextCursor === undefined ? '' : ', and more,'
  const maySend = rights.mayCall('recoverWebhook') && disabledAt === null
  return (
    <>
      <Notice
        tone="caution"
        actions={
          maySend && (
            <Button
              disabled={recover.state.name === 'sending'}
              onClick={() => void recover.send({ id })}
            >
              Send them
            </Button>
          )
        }
      >
        {ofDeliveries(count)}
        {more} {isOne ? 'is' : 'are'} held: kept for 7 days and not sent by{' '}
        {isOne ? 'itself' : 'themselves'}.
        {disabledAt !== null &&
          ` ${isOne ? 'It' : 'They'} can be sent once the webhook is enabled.`}
      </Notice>
      <ActionProblem of={recover} />
    </>
  )
}

import type { RouteOutput } from '@svc/contracts/rest'
import type { WebhookDelivery } from '@svc/contracts/webhook-subscription'
import { useEffect, useMemo } from 'react'
import { useRead } from '../../data/reads.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { ButtonLink, Link } from '../../shell/link.tsx'
import { PageHead } from '../../shell/pages.tsx'
import { pathTo } from '../../shell/routes.ts'
import { nameTab } from '../../shell/tab-mark.tsx'
import { useKeys } from '../../shell/use-keys.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Rows } from '../../ui/list.tsx'
import { Text } from '../../ui/text.tsx'
import { Ago } from '../../ui/time.tsx'
import { counted } from '../../words/counted.ts'
import { deliveryWords } from '../../words/webhooks.ts'
import { Attempt } from './attempt.tsx'
import { pingType } from './form.ts'
import { deliveryKeys } from './keys.ts'
import { NextTry } from './next-try.tsx'
import { delivery as oneDelivery, webhook as oneWebhook } from './reads.ts'
import { Request } from './request.tsx'
import { useResend, useWayToSend } from './resend.ts'
import { ShownUntilGone } from '../../shell/shown-until-gone.tsx'
import { useFollowSent, useRereadLog } from './use-follow-log.ts'
import styles from './webhooks.module.css'

interface PageProps {
  params: { webhook?: string; delivery?: string }
}

/** One delivery: what was sent, and what came of each try. */
export function Page({ params: { webhook: id = '', delivery: deliveryId = '' } }: PageProps) {
  const read = useRead(oneDelivery, { id, deliveryId })
  const known = read.data?.delivery
  const type = known?.type
  useFollowSent(useMemo(() => (known ? [known] : []), [known]))
  useEffect(() => {
    if (type !== undefined) nameTab(type)
  }, [type])
  return (
    <ShownUntilGone of={read} title="Webhook delivery">
      {(shown) => <View shown={shown} />}
    </ShownUntilGone>
  )
}

function View({ shown }: { shown: RouteOutput<'getWebhookDelivery'> }) {
  const { rights } = useWorkspace()
  const { delivery, attempts, body } = shown
  const { id: deliveryId, subscriptionId: id, type } = delivery
  const webhook = useRead(oneWebhook, { id }).data?.webhook
  const way = useWayToSend(delivery)
  const resend = useResend(way)
  const reread = useRereadLog()
  const send = () => {
    if (resend.state.name !== 'sending') void resend.send({ id, deliveryId })
  }
  useKeys(deliveryKeys({ resend: way && send, reread }))
  return (
    <>
      <PageHead title={<Text>{type}</Text>}>
        <Badge of={deliveryWords[delivery.state]} />
      </PageHead>
      <div className={styles['page']}>
        <p>
          To{' '}
          <Link to={pathTo('webhook', { webhook: id })}>
            <Text>{webhook?.name ?? 'its webhook'}</Text>
          </Link>
          , <Ago at={delivery.createdAt} />.{' '}
          <Outlook delivery={delivery} disabledAt={webhook?.disabledAt} />
        </p>
        <div className={styles['actions']}>
          {way && <Button onClick={send}>{way === 'now' ? 'Send it now' : 'Send it again'}</Button>}
          {type === pingType && rights.mayCall('testWebhook') && (
            <ButtonLink to={pathTo('webhook', { webhook: id }, { do: 'test' })}>
              Another test
            </ButtonLink>
          )}
        </div>
        <ActionProblem of={resend} />
        <Request delivery={delivery} endpointUrl={webhook?.endpointUrl} body={body} />
        <section className={styles['part']} aria-labelledby="tries">
          <h2 id="tries">{counted(attempts.length, 'try', 'tries')}</h2>
          {attempts.length === 0 ? (
            <p>Nothing was sent yet.</p>
          ) : (
            <Rows
              label="Tries"
              items={attempts.map((attempt, index) => ({ attempt, index })).toReversed()}
              keyOf={({ index }) => String(index)}
            >
              {({ attempt, index }) => (
                <Attempt attempt={attempt} isOpen={index === attempts.length - 1} />
              )}
            </Rows>
          )}
        </section>
      </div>
    </>
  )
}

interface OutlookProps {
  delivery: WebhookDelivery
  disabledAt: string | null | undefined
}

function Outlook({ delivery: { state, nextAttemptAt }, disabledAt }: OutlookProps) {
  if (state !== 'pending' || nextAttemptAt === null) return deliveryWords[state].sentence
  return <NextTry at={nextAttemptAt} disabledAt={disabledAt} />
}
